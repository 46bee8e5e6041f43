import { dirname, resolve } from "node:path";
import { check } from "../../config/issues.js";
import { type LoadedConfig, loadConfig, Origins } from "../../config/load.js";
import { findBenchmark } from "../../config/named.js";
import { resolvePath } from "../../config/paths.js";
import { readText } from "../../config/read.js";
import { YamlSource } from "../../config/source.js";
import { at } from "../../registry/resolved-task.js";
import { type ChallengeConfig, challengeSchema, type PhaseConfig } from "./config.js";

/** A valid challenge file. */
export interface LoadedChallenge {
  readonly config: ChallengeConfig;
  /** Path as given by the user. */
  readonly file: string;
  /** Absolute folder of the file, the base of its relative paths. */
  readonly baseDir: string;
  /** Notes on how names were resolved, for the user. */
  readonly notes: readonly string[];
  /** `file:line:column` of a value. */
  locate(path: readonly (string | number)[]): string;
  phase(name: string): LoadedPhase | undefined;
  readonly phases: readonly LoadedPhase[];
}

export interface LoadedPhase {
  readonly config: PhaseConfig;
  readonly benchmark: LoadedConfig;
}

/** Reads a challenge file and the benchmarks of its phases. @throws ConfigError with the locations of all mistakes */
export function loadChallenge(path: string): LoadedChallenge {
  return parseChallenge(readText(path, "challenge"), path);
}

/** Parses the text of a challenge file. */
export function parseChallenge(text: string, file: string): LoadedChallenge {
  const source = new YamlSource(text, file);
  const result = check(challengeSchema, source.toPlain());
  if ("findings" in result) throw new Origins(source, []).error(result.findings);
  const config = result.data;
  const baseDir = dirname(resolve(file));
  const notes: string[] = [];
  const phases = config.phases.map((phase, index) => {
    const where = source.locate(["phases", index, "benchmark"]);
    const path = resolvePath({ baseDir }, phase.benchmark);
    const found = at(where, () => findBenchmark(phase.benchmark, path));
    if (found.note) notes.push(`${where}: ${found.note}`);
    return { config: phase, benchmark: loadConfig(found.file, { set: phase.set }) };
  });
  return {
    config,
    file,
    baseDir,
    notes,
    phases,
    locate: (where) => source.locate(where),
    phase: (name) => phases.find((phase) => phase.config.name === name),
  };
}

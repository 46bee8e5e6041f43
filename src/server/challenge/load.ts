import { dirname, resolve } from "node:path";
import { check } from "../../config/issues.js";
import { type LoadedConfig, loadConfig, Places } from "../../config/load.js";
import { resolvePath } from "../../config/paths.js";
import { readText } from "../../config/read.js";
import { YamlSource } from "../../config/source.js";
import { type ChallengeConfig, challengeSchema, type PhaseConfig } from "./config.js";

/** A challenge file that was read and found right. */
export interface LoadedChallenge {
  readonly config: ChallengeConfig;
  /** As the user named it. */
  readonly file: string;
  /** Absolute folder of the file: relative paths in it begin there. */
  readonly baseDir: string;
  /** `file:line:column` of a value. */
  locate(path: readonly (string | number)[]): string;
  phase(name: string): LoadedPhase | undefined;
  readonly phases: readonly LoadedPhase[];
}

export interface LoadedPhase {
  readonly config: PhaseConfig;
  readonly benchmark: LoadedConfig;
}

/** Reads a challenge file and the benchmarks of its phases. @throws ConfigError with the places of all mistakes */
export function loadChallenge(path: string): LoadedChallenge {
  return parseChallenge(readText(path, "challenge"), path);
}

/** As `loadChallenge`, from a text. */
export function parseChallenge(text: string, file: string): LoadedChallenge {
  const source = new YamlSource(text, file);
  const result = check(challengeSchema, source.toPlain());
  if ("findings" in result) throw new Places(source, []).error(result.findings);
  const config = result.data;
  const baseDir = dirname(resolve(file));
  const phases = config.phases.map((phase) => ({
    config: phase,
    benchmark: loadConfig(resolvePath({ baseDir }, phase.benchmark), { set: phase.set }),
  }));
  return {
    config,
    file,
    baseDir,
    phases,
    locate: (where) => source.locate(where),
    phase: (name) => phases.find((phase) => phase.config.name === name),
  };
}

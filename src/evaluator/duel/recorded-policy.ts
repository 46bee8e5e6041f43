import { basename, resolve } from "node:path";
import type { LoadedConfig } from "../../config/load.js";
import { ConfigError, show } from "../../core/errors.js";
import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import { configDifferences, isLocation } from "../../runs/compare/config-diff.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { recordedConfig, stopsEarly } from "../../runs/recorded/recorded-config.js";
import { withOverrides } from "../record/run-info.js";

/** A policy whose whole run is there already. */
export interface RecordedPolicy {
  readonly agent: string;
  readonly run: string;
  /** Absolute path. */
  readonly recorded: string;
  readonly info: RunInfo;
  readonly lines: readonly EpisodeLine[];
}

/** Reads a run for a duel. @throws if it is not a whole run whose length was fixed beforehand */
export async function readRecorded(path: string): Promise<RecordedPolicy> {
  const run = await RunDirectory.open(path);
  const info = await run.info();
  const why =
    info.kind !== "run"
      ? `was made by ${info.kind}`
      : info.status !== "done"
        ? `is not finished (status ${info.status})`
        : stopsEarly(info)
          ? "was itself stopped by its results"
          : info.selection.shard !== undefined
            ? "is one shard of a benchmark"
            : undefined;
  if (why !== undefined) {
    throw new ConfigError("bad_baseline", `a duel cannot use this run: it ${why}`, {
      where: path,
      hint: "give a finished run of the whole selection, or run both policies: --agent A --agent B",
    });
  }
  const lines: EpisodeLine[] = [];
  for await (const line of run.episodes()) lines.push(line);
  const recorded = resolve(path);
  return { agent: info.agent, run: basename(recorded), recorded, info, lines };
}

/** Requires a benchmark to be that of a recorded run, except for its agent and outputs. */
export function checkSameBenchmark({ info, recorded }: RecordedPolicy, loaded: LoadedConfig): void {
  const now = withOverrides(recordedConfig(loaded), info.agent, info.seed);
  const differing = configDifferences(info.config, now).filter(
    ({ key }) => !isLocation(key) && !/^(output|benchmark|cluster|policy)(\.|$)/.test(key),
  );
  const [first] = differing;
  if (!first) return;
  throw new ConfigError(
    "config_changed",
    `the benchmark differs from that of the run: ${first.key} is ${show(first.a, 40)} there, ${show(first.b, 40)} here`,
    { where: recorded, hint: "use the run's benchmark and --set options, or run both policies" },
  );
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { episodeLine, runInfo, temporaryFolder } from "../../../test/support/cli.js";
import type { EpisodeLine, RunInfo, RunSummary } from "../../core/interfaces/result.js";
import { aggregate } from "../../core/metric/base.js";
import { Summariser } from "../summary/summary.js";

type Direction = "higher" | "lower" | "none";

export interface RunFixture {
  readonly lines: readonly Partial<EpisodeLine>[];
  readonly info?: Partial<RunInfo>;
  /** Direction of each metric; the first is the primary metric of every task. */
  readonly directions?: Readonly<Record<string, Direction>>;
  readonly summary?: Partial<RunSummary>;
}

const EMPTY_SUMMARY = new Summariser({
  runId: "a-run",
  benchmark: "small world",
  agent: "random",
  seed: 0,
  tasks: {},
}).finish("done");

const NO_VALUES = { ...aggregate([]), ci95: null, ci_method: "none", n_invalid: 0, unit: "" };

/** Writes a run directory and returns its path. */
export function writeRun({ lines, info = {}, directions, summary }: RunFixture): string {
  const path = join(temporaryFolder(), "a-run");
  mkdirSync(path);
  const write = (name: string, text: string) => writeFileSync(join(path, name), text);
  const full = lines.map(episodeLine);
  const tasks = [...new Set(full.map(({ task }) => task))];
  const told = directions ?? { success: "higher" };
  const each = <T>(value: T) => Object.fromEntries(tasks.map((task) => [task, value]));
  write("run.json", JSON.stringify(runInfo({ status: "done", ...info })));
  write("episodes.jsonl", full.map((line) => `${JSON.stringify(line)}\n`).join(""));
  if (info.status === "running") return path;
  write(
    "summary.json",
    JSON.stringify({
      ...EMPTY_SUMMARY,
      primary_metrics: each(Object.keys(told)[0]),
      per_task: each(
        Object.fromEntries(
          Object.entries(told).map(([name, direction]) => [name, { ...NO_VALUES, direction }]),
        ),
      ),
      ...summary,
    }),
  );
  return path;
}

/** `count` episodes, of which those in `succeeding` succeed. */
export function episodes(count: number, succeeding: readonly number[]): Partial<EpisodeLine>[] {
  return Array.from({ length: count }, (_, i) => ({
    episode_id: String(i + 1),
    metrics: { success: succeeding.includes(i + 1) ? 1 : 0 },
  }));
}

export function keys(...ids: readonly (number | string)[]): string[] {
  return ids.map((id) => `vln/hall/${id}`);
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInfo } from "../../../test/support/cli.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { Summariser } from "../../runs/summary/summary.js";

/** run.json fields of an unfinished run, whose summary is made from its lines. */
export const UNFINISHED: Partial<RunInfo> = {
  status: "running",
  config: {
    benchmark: { name: "small world" },
    vln_task: { type: "vln", config: { metrics: ["success"] } },
    dataset: { vln: { type: "vln", data_path: "none" } },
  },
};

/** Writes a run without episodes; returns its folder. */
export function writeRun(folder: string, id: string, partial: Partial<RunInfo> = {}): string {
  const path = join(folder, id);
  const info = runInfo({ run_id: id, status: "done", ...partial });
  const { agent, seed, benchmark } = info;
  const about = { runId: id, benchmark: benchmark.name, agent, seed, repeats: 1, tasks: {} };
  const summary = new Summariser(about).finish(info.status);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "episodes.jsonl"), "");
  writeFileSync(join(path, "summary.json"), JSON.stringify(summary));
  writeFileSync(join(path, "run.json"), JSON.stringify(info));
  return path;
}

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EpisodeLine, RunSummary } from "../../src/core/interfaces/result.js";
import { SetAside } from "../../src/runs/directory/set-aside.js";
import { linesOf } from "./cli.js";

/** The content of a run without times and the order in which episodes ended. */
export async function contentOf(runDir: string) {
  const lines = (await linesOf(runDir)).sort(byName);
  return {
    lines: lines.map(timeless),
    trajectories: lines.map(({ trajectory }) => trajectory && sha256(join(runDir, trajectory))),
    summary: summaryOf(runDir),
  };
}

/** The set-aside lines. */
export async function setAsideOf(runDir: string): Promise<EpisodeLine[]> {
  const lines: EpisodeLine[] = [];
  for await (const line of new SetAside(runDir).read()) lines.push(line);
  return lines;
}

export function summaryOf(runDir: string) {
  const text = readFileSync(join(runDir, "summary.json"), "utf8");
  const { run_id, timings, ...rest } = JSON.parse(text) as RunSummary;
  return { ...rest, steps: timings.steps };
}

export function timeless(line: EpisodeLine) {
  const { wall_ms, sim_ms, agent_ms, agent_latency_ms, ...rest } = line;
  return rest;
}

function byName(a: EpisodeLine, b: EpisodeLine): number {
  if (a.episode_key !== b.episode_key) return a.episode_key < b.episode_key ? -1 : 1;
  return a.repeat - b.repeat;
}

/** Null for a missing file, so that a comparison shows which one. */
function sha256(path: string): string | null {
  return existsSync(path) ? createHash("sha256").update(readFileSync(path)).digest("hex") : null;
}

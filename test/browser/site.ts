import {
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { EpisodeLine, RunSummary } from "../../src/core/interfaces/result.js";
import type { EpisodePage } from "../../src/server/view/documents.js";
import type { TestBrowser } from "../support/browser.js";
import { robotEval } from "../support/cli.js";
import { ROOT } from "../support/manipulation.js";
import type { ViewProcess } from "./view-process.js";

/** Shared by the page tests: a folder of runs, a `view` server for it, and a browser. */
export interface Site {
  readonly folder: string;
  readonly view: ViewProcess;
  readonly browser: TestBrowser;
}

export const SMOKE = join(ROOT, "configs/benchmarks/unified_smoke.yaml");

/** Runs of the unified smoke benchmark: by the benchmark's oracle agents, and by the random agent. */
export const EXPERT_RUN = "knowing";
export const RANDOM_RUN = "wandering";
/** A copy of the random agent's run with one trajectory file truncated to half. */
export const DAMAGED_RUN = "damaged";
/** A copy of the random agent's run without trajectories. */
export const UNRECORDED_RUN = "unrecorded";
/** A run whose run.json is not valid JSON. */
export const UNREADABLE_RUN = "unreadable";

/** Episodes that both runs have: one of navigation and one of manipulation. */
export const NAVIGATION_EPISODE = "vln/apartment/100/1";
export const MANIPULATION_EPISODE = "pick_place/tabletop/0";

export async function makeRuns(folder: string): Promise<void> {
  const run = async (name: string, ...more: readonly string[]) => {
    const args = ["run", SMOKE, "--limit", "1", "--out", folder, "--run-id", name, ...more];
    const { code, stderr } = await robotEval(args, ROOT);
    expect(code, stderr).toBe(0);
  };
  const short = ["--agent", "random", "--set", "evaluation.max_steps=40"];
  await Promise.all([run(EXPERT_RUN), run(RANDOM_RUN, ...short)]);
  cpSync(join(folder, RANDOM_RUN), join(folder, UNRECORDED_RUN), { recursive: true });
  rmSync(join(folder, UNRECORDED_RUN, "trajectories"), { recursive: true });
  const lines = join(folder, UNRECORDED_RUN, "episodes.jsonl");
  const named = /"trajectory":"[^"]*"/g;
  writeFileSync(lines, readFileSync(lines, "utf8").replaceAll(named, '"trajectory":null'));
  cpSync(join(folder, RANDOM_RUN), join(folder, DAMAGED_RUN), { recursive: true });
  const trajectory = join(
    folder,
    DAMAGED_RUN,
    trajectoryOf(folder, DAMAGED_RUN, NAVIGATION_EPISODE),
  );
  truncateSync(trajectory, Math.floor(statSync(trajectory).size / 2));
  mkdirSync(join(folder, UNREADABLE_RUN));
  writeFileSync(join(folder, UNREADABLE_RUN, "run.json"), "{ half of a");
}

function trajectoryOf(folder: string, run: string, key: string): string {
  const lines = readFileSync(join(folder, run, "episodes.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  const line = lines
    .map((text) => JSON.parse(text) as EpisodeLine)
    .find(({ episode_key, repeat }) => episode_key === key && repeat === 0);
  if (!line?.trajectory) throw new Error(`${run} has no trajectory of ${key}`);
  return line.trajectory;
}

export function summaryOf(folder: string, run: string): RunSummary {
  return JSON.parse(readFileSync(join(folder, run, "summary.json"), "utf8"));
}

/** The id by which addresses name an episode. */
async function episodeId(site: Site, run: string, key: string): Promise<string> {
  const answer = await fetch(`${site.view.url}api/runs/${run}/episodes-0.json`);
  const page = (await answer.json()) as EpisodePage;
  const found = page.rows.find((row) => row.key === key);
  if (!found) throw new Error(`${run} has no episode ${key}`);
  return found.id;
}

export async function episodeAddress(site: Site, run: string, key: string): Promise<string> {
  return `#/runs/${run}/episodes/${encodeURIComponent(await episodeId(site, run, key))}`;
}

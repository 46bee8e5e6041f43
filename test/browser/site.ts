import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { EpisodeLine, RunSummary } from "../../src/core/interfaces/result.js";
import { createRegistries } from "../../src/registry/registries.js";
import { scoreSubmission } from "../../src/runs/score/score-submission.js";
import type { StressReport } from "../../src/runs/stress/documents.js";
import { STRESS_FILE } from "../../src/runs/stress/read-stress.js";
import { STRESS_REPORT } from "../../src/runs/stress/stress.fixture.js";
import type { EpisodePage } from "../../src/server/view/documents.js";
import type { TestBrowser } from "../support/browser.js";
import { evaluate, makeWorld, robotEval } from "../support/cli.js";
import { ROOT } from "../support/manipulation.js";
import { WITHOUT_REARRANGE } from "../support/small-unified.js";
import type { ViewProcess } from "./view-process.js";

/** Shared by the tests of the pages: a folder of runs, its server, and a browser. */
export interface Site {
  readonly folder: string;
  readonly view: ViewProcess;
  readonly browser: TestBrowser;
}

export const SMOKE = join(ROOT, "configs/benchmarks/unified_smoke.yaml");

/** Runs of the unified smoke benchmark: by experts, and by a random agent. */
export const EXPERT = "expert";
export const RANDOM = "random";
/** A copy of `RANDOM` with a truncated trajectory. */
export const DAMAGED = "damaged";
/** A run without trajectories. */
export const UNRECORDED = "unrecorded";
/** A run whose run.json is not JSON. */
export const UNREADABLE = "unreadable";

/** A run whose episodes are all invalid, because their scene is missing. */
export const INVALID = "invalid";

/** A submission with predictions for one of three episodes, scored with --partial. */
export const PARTIAL = "partial";

/** A navigation and a manipulation episode of both runs. */
export const NAVIGATION = "vln/apartment/100/1";
export const MANIPULATION = "pick_place/tabletop/0";

export async function makeRuns(folder: string): Promise<void> {
  const run = async (name: string, ...more: readonly string[]) => {
    const some = ["--first", "1", "--filter", WITHOUT_REARRANGE];
    const args = ["run", SMOKE, ...some, "--out", folder, "--run-id", name, ...more];
    const { code, stderr } = await robotEval(args, ROOT);
    expect(code, stderr).toBe(0);
  };
  const short = ["--agent", "random", "--set", "evaluation.max_steps=40"];
  await Promise.all([run(EXPERT), run(RANDOM, ...short)]);
  cpSync(join(folder, RANDOM), join(folder, UNRECORDED), { recursive: true });
  rmSync(join(folder, UNRECORDED, "trajectories"), { recursive: true });
  const lines = join(folder, UNRECORDED, "episodes.jsonl");
  const named = /"trajectory":"[^"]*"/g;
  writeFileSync(lines, readFileSync(lines, "utf8").replaceAll(named, '"trajectory":null'));
  cpSync(join(folder, RANDOM), join(folder, DAMAGED), { recursive: true });
  const trajectory = join(folder, DAMAGED, trajectoryOf(folder, DAMAGED, NAVIGATION));
  truncateSync(trajectory, Math.floor(statSync(trajectory).size / 2));
  await scorePart(folder);
  await runWithoutScenes(folder);
  writeFileSync(join(folder, STRESS_FILE), JSON.stringify(stressReport()));
  mkdirSync(join(folder, UNREADABLE));
  writeFileSync(join(folder, UNREADABLE, "run.json"), "{ half of a");
}

/** A stress test whose baseline are the experts and whose levels are the random agent's run. */
function stressReport(): StressReport {
  const runOf = { ...STRESS_REPORT.baseline, run: EXPERT };
  const axes = STRESS_REPORT.axes.map((axis) => ({
    ...axis,
    levels: axis.levels.map((level) => ({ ...level, run: RANDOM })),
    telling_episodes: axis.telling_episodes.map(({ baseline, perturbed, ...told }) => ({
      ...{ ...told, episode_key: NAVIGATION },
      ...{ baseline: { ...baseline, run: EXPERT }, perturbed: { ...perturbed, run: RANDOM } },
    })),
  }));
  return { ...STRESS_REPORT, baseline: runOf, axes };
}

async function scorePart(folder: string): Promise<void> {
  const world = makeWorld();
  const instructions = ["to the end", "go on", "walk to d"];
  const way = { scan: "hall", path: ["a", "b", "c", "d"], heading: 0 };
  const trajectory = [["a", 0, 0]];
  const { run_dir } = await scoreSubmission({
    path: world.write("first.json", [{ instr_id: "7_0", trajectory }]),
    dataset: world.write("R2R_small.json", [{ path_id: 7, ...way, instructions }]),
    connectivity: join(world.root, "episodes", "connectivity"),
    ...{ partial: true, outDir: folder, registries: createRegistries() },
  });
  renameSync(run_dir ?? "", join(folder, PARTIAL));
}

async function runWithoutScenes(folder: string): Promise<void> {
  const world = makeWorld();
  rmSync(join(world.root, "episodes", "connectivity"), { recursive: true });
  mkdirSync(join(world.root, "episodes", "connectivity"));
  await evaluate(world, { outDir: folder, runId: INVALID });
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

/** `<episode>` in addresses. */
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

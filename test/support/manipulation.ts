import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { BaseEpisode } from "../../src/core/episode/base.js";
import type { EpisodeLine, MetricTable, RunResults } from "../../src/core/interfaces/result.js";
import { loadEpisodes } from "../../src/dataset/loader.js";
import { createRegistries } from "../../src/registry/registries.js";
import { type CliResult, linesOf, robotEval, robotEvalHere, temporaryFolder } from "./cli.js";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const CHALLENGE = join(ROOT, "configs/benchmarks/manipulation_challenge.yaml");

/** The folder in data/manipulation of each of the challenge's tasks. */
export const FOLDERS = {
  pick_place: "pick_place",
  stacking: "stacking",
  opening: "opening",
  arm_pick_place: "pick_place_panda",
} as const;
export const TASKS = Object.keys(FOLDERS) as readonly (keyof typeof FOLDERS)[];

/** Runs a benchmark in a separate process, which must succeed. */
export function runOf(benchmark: string, ...flags: readonly string[]): Promise<RunResults> {
  return resultsOf(robotEval(argsOf(benchmark, flags), ROOT));
}

/** Runs a benchmark in this process and thread. */
export function runHere(benchmark: string, ...flags: readonly string[]): Promise<RunResults> {
  return resultsOf(robotEvalHere([...argsOf(benchmark, flags), "--workers", "1"]));
}

function argsOf(benchmark: string, flags: readonly string[]): readonly string[] {
  return ["run", benchmark, "--out", temporaryFolder(), "--json", ...flags];
}

async function resultsOf(running: Promise<CliResult>): Promise<RunResults> {
  const { stdout, stderr, code } = await running;
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as RunResults;
}

export async function shippedEpisodes(folder: string, split = "val"): Promise<BaseEpisode[]> {
  const { formats } = createRegistries();
  const path = join(ROOT, "data/manipulation", folder, `${split}.json.gz`);
  const episodes: BaseEpisode[] = [];
  for await (const episode of loadEpisodes({ path, formats })) episodes.push(episode);
  return episodes;
}

/** An episode's line without the fields that may differ between equal runs, and a digest of its recorded bytes. */
type Settled = Partial<EpisodeLine> & { readonly recorded: string | null };

/** Keyed by episode, without durations. */
export async function settled({ run_dir }: RunResults): Promise<Map<string, Settled>> {
  const lines = new Map<string, Settled>();
  for (const line of await linesOf(run_dir)) {
    const { wall_ms, sim_ms, agent_ms, agent_latency_ms, ...rest } = line;
    const bytes = line.trajectory && readFileSync(join(run_dir ?? "", line.trajectory));
    const recorded = bytes && createHash("sha256").update(bytes).digest("hex");
    lines.set(line.episode_key, { ...rest, recorded });
  }
  return lines;
}

/** The same for a replay, without the agent seed, which depends on the agent's name. */
export async function settledReplay(run: RunResults): Promise<Map<string, Settled>> {
  const lines = await settled(run);
  return new Map([...lines].map(([key, { agent_seed, ...line }]) => [key, line]));
}

export function meanOf(metrics: MetricTable | undefined, name: string): number {
  return metrics?.[name]?.mean ?? Number.NaN;
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../../../test/support/tiny-world.js";
import { type LoadedConfig, loadConfig } from "../../config/load.js";
import { UnifiedRobotEvaluator } from "../evaluator.js";
import type { DuelDocument } from "./duel-document.js";
import type { DuelOptions } from "./prepare-duel.js";
import { runDuel } from "./run-duel.js";

/** 60 episodes on graphs: a fraction of a second. `noisy:0.86` solves 0.82 of them, `noisy:0.92` 0.49. */
export const graph = (set: readonly string[] = []): LoadedConfig =>
  loadConfig("vln_graph", { set });
export const NOISY = ["noisy:0.86", "noisy:0.92"];

export function duel(options: Partial<DuelOptions> = {}, set?: readonly string[]) {
  const out = join(tempDir(), "duel");
  return runDuel(graph(set), { agents: NOISY, out, ...options });
}

export const documentOf = (folder: string): DuelDocument =>
  JSON.parse(readFileSync(join(folder, "duel.json"), "utf8"));

/** What a duel found, without where and when. */
export const found = ({ comparisons, ranks, episodes, flipped }: DuelDocument) => ({
  ...{ comparisons, ranks, episodes, flipped },
});

/** Runs the first policy on all episodes, and returns the run directory. */
export const wholeRun = async (set?: readonly string[]) => {
  const outDir = tempDir();
  const { run_dir } = await new UnifiedRobotEvaluator(graph(set), {
    agent: "noisy:0.86",
    outDir,
  }).run();
  return run_dir ?? "";
};

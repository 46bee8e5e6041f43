import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { LoadedConfig } from "../../config/load.js";
import { lerobotTarget } from "../../dataset/convert/lerobot.js";
import { staged } from "../../dataset/convert/staging.js";
import { prepareRun } from "../../evaluator/plan/prepare.js";
import { Collection, type CollectionResult } from "./collection.js";
import { type CollectOptions, checkOptions } from "./options.js";

export interface CollectReport extends CollectionResult {
  readonly benchmark: string;
  readonly agent: string;
  readonly seed: number;
  readonly to: string;
  readonly out: string;
  /** Size on disk in bytes. */
  readonly bytes: number;
}

/**
 * Runs a benchmark's episodes and writes the agent's observations and actions as a training dataset. The dataset is
 * written completely or not at all.
 *
 * @example
 * import { createRegistries, loadConfig } from "robot-eval";
 * await collectDemonstrations(loadConfig("vln_challenge"), {
 *   registries: createRegistries(),
 *   agent: "shortest-path",
 *   to: "lerobot",
 *   out: "vln-demonstrations",
 * });
 */
export async function collectDemonstrations(
  loaded: LoadedConfig,
  options: CollectOptions,
): Promise<CollectReport> {
  checkOptions(options);
  const { to, out, force = false } = options;
  const plan = await prepareRun(loaded, options);
  let result: CollectionResult | undefined;
  let bytes = 0;
  await staged({ target: lerobotTarget, out, force }, async (folder) => {
    result = await new Collection(plan, options, folder).run();
    bytes = await sizeOf(folder);
  });
  if (!result) throw new Error("the collection ended without a result");
  return {
    benchmark: loaded.config.benchmark.name,
    agent: plan.agentSpec,
    seed: plan.seed,
    to,
    out,
    ...result,
    bytes,
  };
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

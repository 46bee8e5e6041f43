import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { ConfigError, show } from "../core/errors.js";
import type { EvaluatorOptions } from "./evaluator.js";

/** The program of a worker, beside this file in what is built. */
export const WORKER_ENTRY = new URL("./worker-main.js", import.meta.url);

/**
 * Fewest episodes for each worker of `auto`. A worker takes about half a second to start, as long as a
 * few hundred episodes on a navigation graph, or a single one with cameras: too many workers cost half
 * a second, too few cost the better part of a run. So only runs that are over in no time stay alone.
 */
const AUTO_EPISODES = 8;

/** How many threads run the episodes. 1 means the calling one. */
export function workerCount(
  { workers = 1, registries }: Pick<EvaluatorOptions, "workers" | "registries">,
  episodes: number,
): number {
  const obstacle = obstacleToWorkers(registries);
  if (workers === "auto") {
    if (obstacle) return 1;
    return Math.max(1, Math.min(availableParallelism(), Math.floor(episodes / AUTO_EPISODES)));
  }
  checkCount(workers, "workers");
  if (workers > 1 && obstacle) throw obstacle;
  return Math.max(1, Math.min(workers, episodes));
}

export function checkCount(count: number, what: "workers" | "concurrency"): void {
  if (Number.isInteger(count) && count > 0) return;
  const value = typeof count === "number" ? String(count) : show(count);
  throw new ConfigError(`bad_${what}`, `${what} is ${value}`, {
    where: `--${what}`,
    hint: "give a whole number above 0",
  });
}

function obstacleToWorkers(registries: EvaluatorOptions["registries"]): ConfigError | undefined {
  if (registries) {
    return new ConfigError(
      "workers_refused",
      "registries were handed in, and what was put into them cannot be passed to other threads",
      {
        where: "workers",
        hint: "put what you register into a module, name it under plugins: in the benchmark, and leave registries out; or leave workers at 1 and raise concurrency",
      },
    );
  }
  if (!existsSync(fileURLToPath(WORKER_ENTRY))) {
    return new ConfigError(
      "workers_refused",
      `a worker's program is not there: ${fileURLToPath(WORKER_ENTRY)}`,
      {
        where: "workers",
        hint: "a bundler that makes one file of the package leaves it out: keep robot-eval external, or leave workers at 1",
      },
    );
  }
  return undefined;
}

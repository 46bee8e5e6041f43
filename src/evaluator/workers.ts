import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { ConfigError, show } from "../core/errors.js";
import type { AgentFactory } from "../core/interfaces/agent.js";
import type { Registries } from "../registry/registries.js";

/** The program of a worker, beside this file in what is built. */
export const WORKER_ENTRY = new URL("./worker-main.js", import.meta.url);

/**
 * Fewest episodes for each worker of `auto`. A worker takes about half a second to start, as long as a
 * few hundred episodes on a navigation graph, or a single one with cameras: too many workers cost half
 * a second, too few cost the better part of a run. So only runs that are over in no time stay alone.
 */
const AUTO_EPISODES = 8;

export interface WorkerOptions {
  readonly registries?: Registries | undefined;
  /**
   * Threads that run episodes side by side. Absent or 1: this one alone. `auto`: one for each core,
   * where there are episodes enough and nothing stands against it. Each thread loads the benchmark's
   * plugins itself, so what was put into `registries` by hand is not there, and more than 1 refused.
   */
  readonly workers?: number | "auto" | undefined;
}

/** What a run is, as far as it decides the number of threads. */
export interface Workload {
  readonly episodes: number;
  readonly agents?: readonly Pick<AgentFactory, "threads">[];
}

/** How many threads run the episodes. 1 means the calling one. */
export function workerCount(
  { workers = 1, registries }: WorkerOptions,
  { episodes, agents = [] }: Workload,
  entry: URL = WORKER_ENTRY,
): number {
  const obstacle = obstacleToWorkers(registries, agents, fileURLToPath(entry));
  if (workers === "auto") {
    if (obstacle || agents.some(({ threads }) => threads === "asked")) return 1;
    return Math.max(1, Math.min(availableParallelism(), Math.floor(episodes / AUTO_EPISODES)));
  }
  checkCount(workers, "workers");
  if (workers > 1 && obstacle) throw obstacle;
  return Math.max(1, Math.min(workers, episodes));
}

export function checkCount(count: number, what: "workers" | "concurrency"): void {
  if (Number.isInteger(count) && count > 0) return;
  throw new ConfigError(`bad_${what}`, `${what} is ${show(count)}`, {
    where: `--${what}`,
    hint: "give a whole number above 0",
  });
}

function obstacleToWorkers(
  registries: Registries | undefined,
  agents: readonly Pick<AgentFactory, "threads">[],
  program: string,
): ConfigError | undefined {
  if (agents.some(({ threads }) => threads === "one")) {
    return refusal(
      "policies that dial in find one thread to dial, and only that",
      "let several episodes run in it with concurrency",
    );
  }
  if (registries) {
    return refusal(
      "registries were handed in, and what was put into them cannot be passed to other threads",
      "name a module that registers it under plugins: in the benchmark, and leave registries out",
    );
  }
  if (!existsSync(program)) {
    return refusal(
      `the workers' program is not there: ${program}`,
      "a bundler that makes one file of all leaves it out: keep robot-eval out of the bundle",
    );
  }
  return undefined;
}

function refusal(why: string, remedy: string): ConfigError {
  const hint = `${remedy}; or leave workers at 1`;
  return new ConfigError("workers_refused", why, { where: "workers", hint });
}

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RunPlan } from "../plan/prepare.js";
import type { EarlyThread } from "./early-thread.js";
import type { RunnerSettings } from "./episode-runner.js";
import { InlinePool } from "./inline-pool.js";
import { ThreadPool } from "./thread-pool.js";
import { WORKER_ENTRY } from "./worker-count.js";
import type { WorkerPool } from "./worker-pool.js";

export interface WorkerPoolOptions extends RunnerSettings {
  readonly workers: number;
  /** Episodes that each worker runs at once. */
  readonly concurrency: number;
  readonly graceMs?: number | undefined;
  /** Gives a single worker a thread too, so that the calling thread stays responsive. */
  readonly ownThread?: boolean | undefined;
  /** Used by the first worker thread, or ended if there is none. */
  readonly early?: EarlyThread | undefined;
  /** Ends the opening of worker threads, which may wait long for a policy that does not answer. */
  readonly signal?: AbortSignal | undefined;
}

/** Opens the simulators and agents of a plan, in this thread or in worker threads. */
export async function openWorkerPool(
  plan: RunPlan,
  options: WorkerPoolOptions,
): Promise<WorkerPool> {
  const { workers, concurrency, ownThread = false } = options;
  const needsThisThread =
    plan.tasks.some(({ agent }) => agent.threads === "one") ||
    !existsSync(fileURLToPath(WORKER_ENTRY));
  if (workers > 1 || (ownThread && !needsThisThread)) {
    return ThreadPool.open(plan, { ...options, entry: WORKER_ENTRY });
  }
  options.early?.close();
  return InlinePool.open(plan, concurrency, options);
}

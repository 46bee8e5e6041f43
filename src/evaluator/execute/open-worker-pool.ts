import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RunPlan } from "../plan/prepare.js";
import { openRunners } from "./local-runner.js";
import { type PoolOptions, ThreadPool } from "./thread-pool.js";
import { WORKER_ENTRY } from "./worker-count.js";
import type { WorkerPool } from "./worker-pool.js";

export interface WorkerPoolOptions extends Omit<PoolOptions, "entry"> {
  /** Gives a single worker a thread too, so that the calling thread stays responsive. */
  readonly ownThread?: boolean | undefined;
}

/** Opens the simulators and agents of a plan, in this thread or in worker threads. */
export async function openWorkerPool(
  plan: RunPlan,
  options: WorkerPoolOptions,
): Promise<WorkerPool> {
  const { workers, ownThread = false } = options;
  const needsThisThread =
    plan.tasks.some(({ agent }) => agent.threads === "one") ||
    !existsSync(fileURLToPath(WORKER_ENTRY));
  if (workers > 1 || (ownThread && !needsThisThread)) {
    return ThreadPool.open(plan, { ...options, entry: WORKER_ENTRY });
  }
  options.early?.close();
  return openInThisThread(plan, options);
}

/** Several runners of one thread interleave while agents compute their actions. */
async function openInThisThread(
  { registries, tasks }: RunPlan,
  options: WorkerPoolOptions,
): Promise<WorkerPool> {
  const tools = { registries, logFolder: options.logFolder };
  const runners = await openRunners(options.concurrency, tasks, tools);
  return {
    runners: runners.map((runner) => ({ worker: 0, run: (job) => runner.run(job, options) })),
    // All runners have the same simulators and agents, so the first one's list holds for all.
    missingSensors: runners[0]?.missingSensors ?? [],
    policies: runners[0]?.policies ?? {},
    close: async () => {
      await Promise.all(runners.map((runner) => runner.close()));
    },
  };
}

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Crew } from "./crew.js";
import type { LaneSettings } from "./lane.js";
import { OwnThread } from "./own-thread.js";
import type { RunPlan } from "./prepare.js";
import { WorkerPool } from "./worker-pool.js";
import { WORKER_ENTRY } from "./workers.js";

export interface CrewOptions extends LaneSettings {
  readonly workers: number;
  /** Episodes under way at once in each. */
  readonly lanes: number;
  readonly graceMs?: number | undefined;
  /** Even a single worker gets a thread of its own, where it can: the calling one is to stay free. */
  readonly isApart?: boolean | undefined;
}

/** Those who run a plan's episodes, when all of them are ready. */
export async function openCrew(plan: RunPlan, options: CrewOptions): Promise<Crew> {
  const { workers, lanes, isApart = false } = options;
  const bound =
    plan.tasks.some(({ agent }) => agent.threads === "one") ||
    !existsSync(fileURLToPath(WORKER_ENTRY));
  return workers === 1 && (!isApart || bound)
    ? OwnThread.open(plan, lanes, options)
    : WorkerPool.open(plan, { ...options, entry: WORKER_ENTRY });
}

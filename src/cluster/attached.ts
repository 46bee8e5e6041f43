import type { RunResults } from "../core/interfaces/result.js";
import { type ConductOptions, conduct } from "../evaluator/conduct.js";
import type { RunPlan } from "../evaluator/prepare.js";
import { RunWriter } from "../runs/run-writer.js";
import type { Cluster } from "./cluster.js";
import { FollowedRun, type FollowOptions } from "./follow.js";
import type { Submitted } from "./submit.js";

export interface AttachOptions
  extends Pick<ConductOptions, "signal" | "onEvent">,
    Pick<FollowOptions, "onNotice"> {
  /** Parent folder of the run directory, in which the run's id is taken. */
  readonly outDir: string;
}

/**
 * Waits for a run that was just submitted and writes its run directory as results come, as a local run
 * does. Aborting ends the waiting, not the run.
 */
export function attach(
  cluster: Cluster,
  plan: RunPlan,
  { info, jobs }: Submitted,
  { outDir, onNotice, ...options }: AttachOptions,
): Promise<RunResults> {
  const { save_trajectories, video } = plan.loaded.config.output;
  return conduct(
    {
      plan,
      jobs,
      left: jobs,
      savesTrajectories: save_trajectories,
      video,
      open: async () => new FollowedRun(cluster, info.run_id, jobs, { onNotice }),
      begin: async () => ({
        info,
        writer: await RunWriter.create(outDir, info, plan.loaded.text, "live"),
      }),
    },
    options,
  );
}

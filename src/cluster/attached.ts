import type { RunResults } from "../core/interfaces/result.js";
import { type RunOptions, runEpisodes } from "../evaluator/execute/run-episodes.js";
import type { RunPlan } from "../evaluator/plan/prepare.js";
import { RunWriter } from "../runs/directory/run-writer.js";
import type { Cluster } from "./cluster.js";
import { FollowedRun, type FollowOptions } from "./follow.js";
import type { Submitted } from "./submit.js";

export interface AttachOptions
  extends Pick<RunOptions, "signal" | "onEvent" | "pair">,
    Pick<FollowOptions, "onNotice"> {
  /** Parent folder of the run directory; the run id must be free in it. */
  readonly outDir: string;
}

/**
 * Waits for a submitted run and writes its run directory as results arrive, as a local run does.
 * Aborting stops waiting; the run continues.
 */
export function attach(
  cluster: Cluster,
  plan: RunPlan,
  { info, jobs }: Submitted,
  { outDir, onNotice, ...options }: AttachOptions,
): Promise<RunResults> {
  const { save_trajectories, video } = plan.loaded.config.output;
  return runEpisodes(
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

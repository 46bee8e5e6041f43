import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../core/errors.js";
import type { RunResults } from "../core/interfaces/result.js";
import { type ConductOptions, conduct } from "../evaluator/conduct.js";
import type { EvaluationEvent } from "../evaluator/events.js";
import { jobsOf } from "../evaluator/jobs.js";
import type { RunPlan } from "../evaluator/prepare.js";
import { planFrom } from "../evaluator/worker-setup.js";
import { RunDirectory } from "../runs/run-directory.js";
import { takeRunId } from "../runs/run-id.js";
import { RunLock } from "../runs/run-lock.js";
import { RunWriter } from "../runs/run-writer.js";
import type { Cluster } from "./cluster.js";
import { FollowedRun, type FollowOptions } from "./follow.js";
import { getRun } from "./runs-table.js";
import { wholePlan } from "./whole-plan.js";

export interface PullOptions extends Pick<ConductOptions, "signal" | "onEvent">, FollowOptions {
  /** Parent folder of the run directory; the benchmark's log_dir if absent. */
  readonly outDir?: string | undefined;
  readonly onPlan?: ((plan: RunPlan) => void) | undefined;
}

/**
 * Writes a cluster's run into a run directory, which appears when it is complete. What was written of
 * the same run before, by one who did not wait for its end, is replaced.
 */
export async function pullRun(
  cluster: Cluster,
  runId: string,
  options: PullOptions = {},
): Promise<RunResults> {
  const run = await getRun(cluster.database, runId);
  // Of its episodes, not of its dataset, which need not be here.
  const plan = await wholePlan(cluster.database, runId, await planFrom(run.setup));
  options.onPlan?.(plan);
  const { output } = plan.loaded.config;
  const outDir = options.outDir ?? output.log_dir;
  const old = await moveAside(outDir, runId);
  try {
    await takeRunId(outDir, runId, "whole");
    const jobs = jobsOf(plan);
    const results = await conduct(
      {
        plan,
        jobs,
        left: jobs,
        savesTrajectories: output.save_trajectories,
        video: output.video,
        open: async () => new FollowedRun(cluster, runId, jobs, options),
        begin: async () => ({
          info: run.info,
          writer: await RunWriter.create(outDir, run.info, run.setup.benchmark.text, "whole"),
        }),
      },
      { ...options, onEvent: (event) => options.onEvent?.(inPlace(event, join(outDir, runId))) },
    );
    await old?.remove();
    return results;
  } catch (error) {
    await old?.bringBack();
    throw error;
  }
}

/** Until it is complete it is written in a hidden folder, which is nobody's concern. */
function inPlace(event: EvaluationEvent, runDir: string): EvaluationEvent {
  return event.type === "started" ? { ...event, runDir } : event;
}

interface Aside {
  remove(): Promise<void>;
  bringBack(): Promise<void>;
}

/** Makes room where an earlier copy of the run stands. Anything else by that name is left alone. */
async function moveAside(parent: string, runId: string): Promise<Aside | undefined> {
  const path = join(parent, runId);
  if (!existsSync(path)) return undefined;
  const hint = "choose another folder with --out";
  if (!existsSync(join(path, "run.json"))) {
    throw new ConfigError("run_exists", "there is something by the run's name that is no run", {
      ...{ where: path, hint },
    });
  }
  const info = await (await RunDirectory.open(path)).info();
  if (!info.cluster) {
    throw new ConfigError("run_exists", "there is a run by this name that is none of a cluster", {
      ...{ where: path, hint },
    });
  }
  // Somebody may be following it into this folder at this moment.
  const lock = await RunLock.take(path);
  await lock.release();
  const aside = join(parent, `.${runId}.replaced`);
  await rm(aside, { recursive: true, force: true });
  await rename(path, aside);
  return {
    remove: () => rm(aside, { recursive: true, force: true }),
    bringBack: () => rename(aside, path),
  };
}

import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../core/errors.js";
import type { RunResults } from "../core/interfaces/result.js";
import { type RunOptions, runEpisodes } from "../evaluator/execute/run-episodes.js";
import { planFrom } from "../evaluator/execute/worker-setup.js";
import { jobsOf } from "../evaluator/plan/jobs.js";
import type { RunPlan } from "../evaluator/plan/prepare.js";
import type { EvaluationEvent } from "../evaluator/record/events.js";
import { RunDirectory } from "../runs/directory/run-directory.js";
import { takeRunId } from "../runs/directory/run-id.js";
import { RunLock } from "../runs/directory/run-lock.js";
import { RunWriter } from "../runs/directory/run-writer.js";
import type { Cluster } from "./cluster.js";
import { FollowedRun, type FollowOptions } from "./follow.js";
import { getRun } from "./runs-table.js";
import { wholePlan } from "./whole-plan.js";

export interface PullOptions extends Pick<RunOptions, "signal" | "onEvent">, FollowOptions {
  /** Parent folder of the run directory; the benchmark's log_dir if absent. */
  readonly outDir?: string | undefined;
  readonly onPlan?: ((plan: RunPlan) => void) | undefined;
}

/**
 * Writes a cluster run into a run directory, which appears when it is complete. Replaces an earlier copy of the
 * same run.
 */
export async function pullRun(
  cluster: Cluster,
  runId: string,
  options: PullOptions = {},
): Promise<RunResults> {
  const run = await getRun(cluster.database, runId);
  // The episodes come from the database: the dataset need not exist on this machine.
  const whole = await wholePlan(cluster.database, runId, await planFrom(run.setup));
  // The plan of the setup has sample episodes; how many of the dataset were selected is in the run's info.
  const { data } = run.info;
  const tasks = whole.tasks.map((one) => ({ ...one, data: data[one.task.name] ?? one.data }));
  const plan = { ...whole, tasks };
  options.onPlan?.(plan);
  const { output } = plan.loaded.config;
  const outDir = options.outDir ?? output.log_dir;
  const old = await moveAside(outDir, runId);
  try {
    await takeRunId(outDir, runId, "whole");
    const jobs = jobsOf(plan);
    const results = await runEpisodes(
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

/** Reports the final path: until the run is complete it is written in a hidden folder. */
function inPlace(event: EvaluationEvent, runDir: string): EvaluationEvent {
  return event.type === "started" ? { ...event, runDir } : event;
}

interface Aside {
  remove(): Promise<void>;
  bringBack(): Promise<void>;
}

/** Renames an earlier copy of the run. @throws if something else has that name */
async function moveAside(parent: string, runId: string): Promise<Aside | undefined> {
  const path = join(parent, runId);
  if (!existsSync(path)) return undefined;
  const hint = "choose another folder with --out";
  if (!existsSync(join(path, "run.json"))) {
    throw new ConfigError(
      "run_exists",
      "a file or folder with the run's name exists and is not a run directory",
      {
        ...{ where: path, hint },
      },
    );
  }
  const info = await (await RunDirectory.open(path)).info();
  if (!info.cluster) {
    throw new ConfigError(
      "run_exists",
      "a run with this name exists that was not run on a cluster",
      {
        ...{ where: path, hint },
      },
    );
  }
  // Fails if another process is writing the run into this folder.
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

import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { resolvePath } from "../config/paths.js";
import { ConfigError } from "../core/errors.js";
import type { RunInfo } from "../core/interfaces/result.js";
import { makeSetup } from "../evaluator/execute/worker-setup.js";
import { jobsOf } from "../evaluator/plan/jobs.js";
import type { RunPlan } from "../evaluator/plan/prepare.js";
import type { Job } from "../evaluator/plan/queue.js";
import { newRunInfo, type RunInfoOptions } from "../evaluator/record/run-info.js";
import { checkRunId, takeRunId } from "../runs/directory/run-id.js";
import { PACKAGE_VERSION } from "../runs/directory/versions.js";
import { type BatchedJob, batchSize, makeBatches } from "./batches.js";
import type { Cluster } from "./cluster.js";
import type { Queries } from "./database/connect.js";
import { findRun } from "./runs-table.js";

export interface SubmitOptions extends RunInfoOptions {
  /** Runs with a higher priority are run first. Default 0. */
  readonly priority?: number | undefined;
  /** Parent folder in which the run id is reserved too; absent if no run directory is written here. */
  readonly outDir?: string | undefined;
}

export interface Submitted {
  readonly info: RunInfo;
  readonly jobs: readonly Job[];
}

/** Rows per INSERT statement. */
const ROWS_AT_ONCE = 1000;

/** Submits a run to the queue in one transaction. */
export async function submitRun(
  cluster: Cluster,
  plan: RunPlan,
  options: SubmitOptions = {},
): Promise<Submitted> {
  rejectCredentials(plan);
  const { database, queue } = cluster;
  const jobs = jobsOf(plan);
  const info = await infoFor(cluster, plan, options);
  if (options.outDir !== undefined) await takeRunId(options.outDir, info.run_id);
  const { output, cluster: section } = plan.loaded.config;
  const setup = makeSetup(plan, {
    seed: plan.seed,
    savesTrajectories: output.save_trajectories,
    video: output.video,
    concurrency: 1,
  });
  const folder = section?.trajectories_dir;
  const size = section?.batch ?? batchSize(jobs.length);
  const { rows } = await database.query<{ no: number }>(
    "SELECT nextval(pg_get_serial_sequence('robot_eval.runs', 'no'))::int AS no",
  );
  const no = rows[0]?.no ?? 0;
  await queue.create(no);
  try {
    await database.transaction(async (transaction) => {
      await transaction.query(
        `INSERT INTO robot_eval.runs
           (run_id, no, priority, version, agent, setup, info, n_jobs, batch, files_dir)
         OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          info.run_id,
          no,
          options.priority ?? 0,
          PACKAGE_VERSION,
          plan.agentSpec,
          JSON.stringify(setup),
          JSON.stringify(info),
          jobs.length,
          size,
          folder === undefined ? null : resolve(resolvePath(plan.loaded, folder)),
        ],
      );
      const batched = await insertEpisodes(transaction, info.run_id, jobs);
      await queue.insert(transaction, no, makeBatches(batched, size, plan.drawsOrder));
    });
  } catch (error) {
    await queue.remove(no).catch(() => {});
    throw error;
  }
  await queue.analyse(no);
  return { info, jobs };
}

/** Stores each episode once, whatever its number of repeats. */
async function insertEpisodes(
  transaction: Queries,
  runId: string,
  jobs: readonly Job[],
): Promise<readonly BatchedJob[]> {
  const numbers = new Map<object, number>();
  const batched = jobs.map(({ task, episode, repeat, attempt }): BatchedJob => {
    const no = numbers.get(episode) ?? numbers.size;
    numbers.set(episode, no);
    return { task, scene: episode.sceneId, item: [no, repeat, attempt] };
  });
  const fresh = jobs.filter(({ repeat }) => repeat === 0);
  for (let from = 0; from < fresh.length; from += ROWS_AT_ONCE) {
    const some = fresh.slice(from, from + ROWS_AT_ONCE);
    await transaction.query(
      `INSERT INTO robot_eval.episodes (run_id, no, task, episode)
       SELECT $1, * FROM unnest($2::int[], $3::text[], $4::json[])`,
      [
        runId,
        some.map(({ episode }) => numbers.get(episode)),
        some.map(({ task }) => task),
        some.map(({ episode }) => JSON.stringify(episode.toDict())),
      ],
    );
  }
  return batched;
}

/** The content of run.json, with an id that is free in the database. */
async function infoFor(
  { database }: Cluster,
  plan: RunPlan,
  options: SubmitOptions,
): Promise<RunInfo> {
  if (options.runId !== undefined) checkRunId(options.runId);
  const made = await newRunInfo(plan, options, null, { warnings: [] });
  const info = { ...made, cluster: { database: database.where } };
  if (!(await findRun(database, info.run_id))) return info;
  if (options.runId === undefined) {
    return { ...info, run_id: `${info.run_id}-${randomBytes(3).toString("hex")}` };
  }
  throw new ConfigError("run_exists", `the run ${info.run_id} already exists in the database`, {
    where: database.where,
    hint: `choose another --run-id, or fetch that run: robot-eval pull ${info.run_id}`,
  });
}

/** Rejects credentials in the agent's address: the database stores it in plain text. */
function rejectCredentials({ agentSpec }: RunPlan): void {
  if (!/:\/\/[^/@\s]+@/.test(agentSpec)) return;
  throw new ConfigError("secret_in_agent", "the agent's address contains a user name or password", {
    where: "--agent",
    hint: "remove it from the address and set ROBOT_EVAL_POLICY_TOKEN for the workers",
  });
}

import { ConfigError } from "../core/errors.js";
import type { RunInfo } from "../core/interfaces/result.js";
import type { WorkerSetup } from "../evaluator/worker-messages.js";
import type { Database, Queries } from "./database/connect.js";

export type ClusterStatus = "queued" | "running" | "paused" | "done" | "cancelled" | "failed";

/** Those of a run that is over. */
export const OVER: readonly ClusterStatus[] = ["done", "cancelled", "failed"];

/** A run as the cluster keeps it. */
export interface ClusterRun {
  readonly run_id: string;
  /** Names its queue. */
  readonly no: number;
  readonly status: ClusterStatus;
  readonly agent: string;
  readonly setup: WorkerSetup;
  readonly info: RunInfo;
  readonly n_jobs: number;
  readonly batch: number;
  readonly files_dir: string | null;
  readonly dropped: readonly string[];
  readonly warnings: readonly string[];
  readonly problem: string | null;
}

const COLUMNS =
  "run_id, no::int, status, agent, setup, info, n_jobs, batch, files_dir, dropped, warnings, problem";

export async function findRun(
  queries: Queries,
  runId: string,
  lock: "" | "FOR UPDATE" = "",
): Promise<ClusterRun | undefined> {
  const { rows } = await queries.query<ClusterRun>(
    `SELECT ${COLUMNS} FROM robot_eval.runs WHERE run_id = $1 ${lock}`,
    [runId],
  );
  return rows[0];
}

/** What of a run changes while it is under way: the rest, which may be long, need not be read each time. */
export async function stateOf(
  queries: Queries,
  runId: string,
): Promise<Pick<ClusterRun, "status" | "dropped"> | undefined> {
  const { rows } = await queries.query<Pick<ClusterRun, "status" | "dropped">>(
    "SELECT status, dropped FROM robot_eval.runs WHERE run_id = $1",
    [runId],
  );
  return rows[0];
}

/** @throws where there is none, with those that there are. */
export async function getRun(database: Database, runId: string): Promise<ClusterRun> {
  const run = await findRun(database, runId);
  if (run) return run;
  const { rows } = await database.query<{ run_id: string }>(
    "SELECT run_id FROM robot_eval.runs ORDER BY no DESC LIMIT 5",
  );
  const latest = rows.map(({ run_id }) => run_id).join(", ");
  throw new ConfigError("no_such_run", `there is no run ${runId}`, {
    where: database.where,
    hint: rows.length > 0 ? `the latest are ${latest}` : "nothing was submitted here yet",
  });
}

/** Names of all that are not over. */
export async function openRuns(queries: Queries): Promise<readonly string[]> {
  const { rows } = await queries.query<{ run_id: string }>(
    "SELECT run_id FROM robot_eval.runs WHERE status <> ALL ($1::text[]) ORDER BY no",
    [OVER],
  );
  return rows.map(({ run_id }) => run_id);
}

/** Ends a task early: its batches that are still waiting are thrown away by whoever takes them. */
export async function dropTask(queries: Queries, runId: string, task: string): Promise<void> {
  await queries.query(
    `UPDATE robot_eval.runs SET dropped = array_append(dropped, $2)
     WHERE run_id = $1 AND NOT $2 = ANY (dropped)`,
    [runId, task],
  );
}

/** How often each episode is run. */
export function repeatsOf({ info }: ClusterRun): number {
  const { evaluation } = info.config as { readonly evaluation?: { readonly repeats?: number } };
  return evaluation?.repeats ?? 1;
}

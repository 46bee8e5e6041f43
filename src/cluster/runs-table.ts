import { ConfigError } from "../core/errors.js";
import type { RunInfo } from "../core/interfaces/result.js";
import { checkSamePolicies, type PolicyIdentities } from "../core/policy-identity.js";
import type { WorkerSetup } from "../evaluator/execute/worker-messages.js";
import type { Database, Queries } from "./database/connect.js";
import { jsonText } from "./database/json.js";

export type ClusterStatus = "queued" | "running" | "paused" | "done" | "cancelled" | "failed";

/** States of a run that has ended. */
export const OVER: readonly ClusterStatus[] = ["done", "cancelled", "failed"];

/** A row of the table `runs`. */
export interface ClusterRun {
  readonly run_id: string;
  /** Part of the queue's name. */
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

/** The columns that change during a run. The others may be long and are read once. */
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

/** @throws ConfigError that lists the latest runs if `runId` does not exist */
export async function getRun(database: Database, runId: string): Promise<ClusterRun> {
  const run = await findRun(database, runId);
  if (run) return run;
  const { rows } = await database.query<{ run_id: string }>(
    "SELECT run_id FROM robot_eval.runs ORDER BY no DESC LIMIT 5",
  );
  const latest = rows.map(({ run_id }) => run_id).join(", ");
  throw new ConfigError("no_such_run", `the run ${runId} does not exist`, {
    where: database.where,
    hint:
      rows.length > 0 ? `the latest are ${latest}` : "no run was submitted to this database yet",
  });
}

/** Ids of all runs that have not ended. */
export async function openRuns(queries: Queries): Promise<readonly string[]> {
  const { rows } = await queries.query<{ run_id: string }>(
    "SELECT run_id FROM robot_eval.runs WHERE status <> ALL ($1::text[]) ORDER BY no",
    [OVER],
  );
  return rows.map(({ run_id }) => run_id);
}

/** Ends a task early: workers drop its waiting batches when they fetch them. */
export async function dropTask(queries: Queries, runId: string, task: string): Promise<void> {
  await queries.query(
    `UPDATE robot_eval.runs SET dropped = array_append(dropped, $2)
     WHERE run_id = $1 AND NOT $2 = ANY (dropped)`,
    [runId, task],
  );
}

/**
 * Records what a run's policies say that they are. @throws if another worker has recorded others: the episodes of one
 * run must be of one policy
 */
export async function recordPolicies(
  database: Database,
  runId: string,
  policies: PolicyIdentities,
): Promise<void> {
  if (Object.keys(policies).length === 0) return;
  await database.transaction(async (transaction) => {
    const run = await findRun(transaction, runId, "FOR UPDATE");
    if (!run) return;
    checkSamePolicies(policies, run.info.policies, run.agent);
    if (run.info.policies) return;
    // Not by Postgres: jsonb would change the order of keys, and with it that of the tasks.
    await transaction.query("UPDATE robot_eval.runs SET info = $2 WHERE run_id = $1", [
      runId,
      jsonText({ ...run.info, policies }),
    ]);
  });
}

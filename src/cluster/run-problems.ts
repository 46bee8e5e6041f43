import { cleanLines } from "../core/text.js";
import type { Queries } from "./database/connect.js";

const MOST_PROBLEM = 2000;
/** Failed attempts to prepare a run that has no result, before it is given up. */
const MOST_REFUSALS = 3;

/**
 * Records that a worker cannot prepare a run; the cause may be its machine. After `MOST_REFUSALS` failures and no
 * result the run fails, so that clients stop waiting. It does not fail while another worker leases one of its
 * batches: the first episode there may just take long.
 */
export async function reportProblem(
  queries: Queries,
  runId: string,
  worker: string,
  problem: string,
): Promise<void> {
  const text = problemText(problem);
  await queries.query(
    "INSERT INTO robot_eval.refusals (run_id, worker, problem) VALUES ($1, $2, $3)",
    [runId, worker, text],
  );
  await queries.query(
    `UPDATE robot_eval.runs SET status = 'failed', problem = $2, finished_at = now()
     WHERE run_id = $1 AND status IN ('queued', 'running')
       AND (SELECT count(*) FROM robot_eval.refusals WHERE run_id = $1) >= ${MOST_REFUSALS}
       AND NOT EXISTS (SELECT 1 FROM robot_eval.results WHERE run_id = $1)
       AND NOT EXISTS (SELECT 1 FROM robot_eval.held WHERE run_id = $1 AND worker <> $3)`,
    [runId, text, worker],
  );
}

/** True if another worker leases a batch of the run, and so may use all sessions of its policy. */
export async function isLeasedByOther(
  queries: Queries,
  runId: string,
  worker: string,
): Promise<boolean> {
  const { rows } = await queries.query<{ held: boolean }>(
    "SELECT EXISTS (SELECT 1 FROM robot_eval.held WHERE run_id = $1 AND worker <> $2) AS held",
    [runId, worker],
  );
  return rows[0]?.held === true;
}

export async function failRun(queries: Queries, runId: string, why: string): Promise<void> {
  await queries.query(
    `UPDATE robot_eval.runs SET status = 'failed', problem = $2, finished_at = now()
     WHERE run_id = $1 AND status IN ('queued', 'running', 'paused')`,
    [runId, problemText(why)],
  );
}

/** Adds warnings to a run; equal ones are kept once. */
export async function warnOf(
  queries: Queries,
  runId: string,
  warnings: readonly string[],
): Promise<void> {
  for (const warning of warnings) {
    await queries.query(
      `UPDATE robot_eval.runs SET warnings = array_append(warnings, $2)
       WHERE run_id = $1 AND NOT $2 = ANY (warnings)`,
      [runId, problemText(warning)],
    );
  }
}

/** Removes control characters: policies and simulators choose the texts of their errors. */
function problemText(text: string): string {
  return cleanLines(text, MOST_PROBLEM);
}

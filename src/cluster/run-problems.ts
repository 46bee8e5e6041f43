import type { Queries } from "./database/connect.js";

/** Workers that may fail to make a run ready, while it has no result, before it is given up. */
const MOST_REFUSALS = 3;

/**
 * Notes that a worker cannot run a run's episodes. It may be this machine that lacks something; but a
 * run that was never made ready, however often it was tried, is given up, so that whoever waits for it
 * is told.
 */
export async function refuse(
  queries: Queries,
  runId: string,
  worker: string,
  problem: string,
): Promise<void> {
  const text = withoutNul(problem);
  await queries.query(
    "INSERT INTO robot_eval.refusals (run_id, worker, problem) VALUES ($1, $2, $3)",
    [runId, worker, text],
  );
  await queries.query(
    `UPDATE robot_eval.runs SET status = 'failed', problem = $2, finished_at = now()
     WHERE run_id = $1 AND status IN ('queued', 'running')
       AND (SELECT count(*) FROM robot_eval.refusals WHERE run_id = $1) >= ${MOST_REFUSALS}
       AND NOT EXISTS (SELECT 1 FROM robot_eval.results WHERE run_id = $1)`,
    [runId, text],
  );
}

/** Ends a run that has no point any more. */
export async function failRun(queries: Queries, runId: string, why: string): Promise<void> {
  await queries.query(
    `UPDATE robot_eval.runs SET status = 'failed', problem = $2, finished_at = now()
     WHERE run_id = $1 AND status IN ('queued', 'running', 'paused')`,
    [runId, withoutNul(why)],
  );
}

/** What the run's reader should know; the same is kept once. */
export async function warnOf(
  queries: Queries,
  runId: string,
  warnings: readonly string[],
): Promise<void> {
  for (const warning of warnings) {
    await queries.query(
      `UPDATE robot_eval.runs SET warnings = array_append(warnings, $2)
       WHERE run_id = $1 AND NOT $2 = ANY (warnings)`,
      [runId, withoutNul(warning)],
    );
  }
}

/** The one character that PostgreSQL's text cannot hold. */
function withoutNul(text: string): string {
  return text.replaceAll("\u0000", "\ufffd");
}

import type { Cluster } from "./cluster.js";
import type { Queries } from "./database/connect.js";
import { settleRun } from "./settle.js";

const SWEEP_EVERY_S = 2;
const MAINTAIN_EVERY_S = 600;
/** Workers that were last seen before: who pulls a run is told of their versions until then. */
const FORGET_AFTER_DAYS = 30;

/**
 * What somebody must do for all, every so often: puts back the batches of workers that are gone, ends
 * runs that are finished, clears away queues that nobody needs and workers long gone. Workers and those who wait for a run
 * call it; of those who call at once, one does it.
 */
export async function sweep(cluster: Cluster): Promise<void> {
  const { database, queue } = cluster;
  if (!(await isDue(database, "sweep", SWEEP_EVERY_S))) return;
  await database.transaction((transaction) => putBackLost(cluster, transaction));
  const { rows } = await database.query<{ run_id: string; no: number; open: boolean }>(
    `SELECT run_id, no::int, status IN ('queued', 'running', 'paused') AS open
     FROM robot_eval.runs WHERE no = ANY ($1::int[])`,
    [await queue.runs()],
  );
  for (const { run_id, no, open } of rows) {
    if (open) await settleRun(cluster, run_id);
    else await queue.remove(no);
  }
  if (!(await isDue(database, "maintain", MAINTAIN_EVERY_S))) return;
  await queue.maintain();
  await database.query(
    `DELETE FROM robot_eval.workers w WHERE w.last_seen < now() - interval '${FORGET_AFTER_DAYS} days'
     AND NOT EXISTS (SELECT 1 FROM robot_eval.held h WHERE h.worker = w.worker)`,
  );
}

async function isDue(queries: Queries, chore: string, everyS: number): Promise<boolean> {
  const { rows } = await queries.query(
    `UPDATE robot_eval.chores SET done_at = now()
     WHERE chore = $1 AND done_at < now() - $2 * interval '1 second' RETURNING chore`,
    [chore, everyS],
  );
  return rows.length > 0;
}

/** While the server was down nobody could say that he was there, so it counts from its start. */
async function putBackLost({ queue }: Cluster, transaction: Queries): Promise<void> {
  const { rows } = await transaction.query<{ job: string; no: number | null }>(
    `SELECT h.job, r.no::int FROM robot_eval.held h
     LEFT JOIN robot_eval.workers w ON w.worker = h.worker
     LEFT JOIN robot_eval.runs r ON r.run_id = h.run_id
     WHERE w.worker IS NULL OR w.left_at IS NOT NULL
       OR greatest(w.last_seen, pg_postmaster_start_time()) < now() - w.lost_after
     FOR UPDATE OF h SKIP LOCKED`,
  );
  for (const { job, no } of rows) if (no !== null) await queue.putBack(transaction, no, [job]);
  await transaction.query("DELETE FROM robot_eval.held WHERE job = ANY ($1::uuid[])", [
    rows.map(({ job }) => job),
  ]);
}

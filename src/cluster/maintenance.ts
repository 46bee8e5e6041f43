import type { Cluster } from "./cluster.js";
import type { Queries } from "./database/connect.js";
import { finishIfDone } from "./finish-run.js";

const LEASES_EVERY_S = 2;
const MAINTAIN_EVERY_S = 600;
/** Lost workers are kept this long, because `pull` compares the versions of a run's workers. */
const FORGET_AFTER_DAYS = 30;

/**
 * Periodic maintenance: expires the leases of lost workers, ends finished runs, removes queues of ended runs and
 * old workers. Workers and clients that follow a run call it; a timestamp in the table `chores` lets only one of
 * them do the work per interval.
 */
export async function maintain(cluster: Cluster): Promise<void> {
  const { database, queue } = cluster;
  if (!(await isDue(database, "sweep", LEASES_EVERY_S))) return;
  await database.transaction((transaction) => expireLeases(cluster, transaction));
  const { rows } = await database.query<{ run_id: string; no: number; open: boolean }>(
    `SELECT run_id, no::int, status IN ('queued', 'running', 'paused') AS open
     FROM robot_eval.runs WHERE no = ANY ($1::int[])`,
    [await queue.runs()],
  );
  for (const { run_id, no, open } of rows) {
    if (open) await finishIfDone(cluster, run_id);
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

/** No heartbeats were possible while PostgreSQL was down, so a worker's silence counts from its restart. */
async function expireLeases({ queue }: Cluster, transaction: Queries): Promise<void> {
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

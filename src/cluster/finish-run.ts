import { repeatsOf } from "../runs/recorded/recorded-config.js";
import { batchId, type Item } from "./batches.js";
import type { Cluster } from "./cluster.js";
import type { Queries } from "./database/connect.js";
import { type ClusterRun, findRun, OVER } from "./runs-table.js";

/**
 * Marks a run as done when its queue is empty and every episode has a result. Episodes without a result are
 * requeued: the tables are authoritative, and the queue is rebuilt from them.
 *
 * @returns true if the run has ended
 */
export async function finishIfDone(cluster: Cluster, runId: string): Promise<boolean> {
  const { database, queue } = cluster;
  const before = await findRun(database, runId);
  if (!before || OVER.includes(before.status)) return true;
  if (!(await queue.isEmpty(database, before.no))) return false;
  const isDone = await database.transaction(async (transaction) => {
    const run = await findRun(transaction, runId, "FOR UPDATE");
    if (!run || OVER.includes(run.status)) return true;
    // Another process may have inserted a batch since the first check.
    if (!(await queue.isEmpty(transaction, run.no))) return false;
    const missing = await missingOf(transaction, run);
    if (missing.length > 0) {
      const batches = missing.map(({ task, item }, i) => ({ id: batchId(i), task, items: [item] }));
      await queue.insert(transaction, run.no, batches);
      return false;
    }
    await transaction.query(
      "UPDATE robot_eval.runs SET status = 'done', finished_at = now() WHERE run_id = $1",
      [runId],
    );
    return true;
  });
  if (isDone) await queue.remove(before.no);
  return isDone;
}

async function missingOf(
  transaction: Queries,
  run: ClusterRun,
): Promise<readonly { readonly task: string; readonly item: Item }[]> {
  const { rows } = await transaction.query<{
    task: string;
    no: number;
    repeat: number;
    tried: number;
  }>(
    `SELECT e.task, e.no, r.repeat, coalesce((SELECT max(s.attempt) FROM robot_eval.set_aside s
       WHERE s.run_id = e.run_id AND s.no = e.no AND s.repeat = r.repeat), 0) AS tried
     FROM robot_eval.episodes e CROSS JOIN generate_series(0, $2 - 1) AS r (repeat)
     WHERE e.run_id = $1 AND e.task <> ALL ($3::text[]) AND NOT EXISTS
       (SELECT 1 FROM robot_eval.results t
        WHERE t.run_id = e.run_id AND t.no = e.no AND t.repeat = r.repeat)`,
    [run.run_id, repeatsOf(run.info), run.dropped],
  );
  return rows.map(({ task, no, repeat, tried }) => ({ task, item: [no, repeat, tried + 1] }));
}

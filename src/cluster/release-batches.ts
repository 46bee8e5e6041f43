import { batchId } from "./batches.js";
import type { Cluster } from "./cluster.js";
import type { Queries } from "./database/connect.js";
import { type WaitOptions, whenReachable } from "./database/when-reachable.js";
import { byBatch, type LeasedBatch, type LeasedItem } from "./leased-batch.js";

/** Requeues leased episodes that have not started. */
export async function releaseItems(
  cluster: Cluster,
  items: readonly LeasedItem[],
  wait: WaitOptions = {},
): Promise<void> {
  for (const [batch, some] of byBatch(items)) {
    // The id is made outside the transaction, so that a retry inserts the same batch.
    const again = { id: batchId(0), task: batch.task, items: some.map(({ item }) => item) };
    const isDone = batch.isDoneWith(some.length);
    await whenReachable(
      () =>
        cluster.database.transaction(async (transaction) => {
          await cluster.queue.insert(transaction, batch.run, [again]);
          if (isDone) await release(cluster, transaction, [batch]);
        }),
      wait,
    );
    if (batch.countDone(some.length) && !isDone) await releaseLate(cluster, [batch], wait);
  }
}

/** Drops leased episodes without requeueing them. */
export async function discard(
  cluster: Cluster,
  items: readonly LeasedItem[],
  wait: WaitOptions = {},
): Promise<void> {
  for (const [batch, some] of byBatch(items)) {
    if (batch.countDone(some.length)) await releaseLate(cluster, [batch], wait);
  }
}

/**
 * Ends batches whose last episodes were recorded and released concurrently, so that neither side saw the
 * batch complete.
 */
export async function releaseLate(
  cluster: Cluster,
  batches: readonly LeasedBatch[],
  wait: WaitOptions = {},
): Promise<void> {
  if (batches.length === 0) return;
  await whenReachable(
    () => cluster.database.transaction((tx) => release(cluster, tx, batches)),
    wait,
  );
}

/** Ends the leases of batches whose episodes are all recorded or requeued. */
export async function release(
  { queue }: Cluster,
  transaction: Queries,
  batches: readonly LeasedBatch[],
): Promise<void> {
  if (batches.length === 0) return;
  // Locks in the same order as maintenance.ts, so that the two cannot deadlock.
  await transaction.query("DELETE FROM robot_eval.held WHERE job = ANY ($1::uuid[])", [
    batches.map(({ id }) => id),
  ]);
  for (const run of new Set(batches.map((batch) => batch.run))) {
    const own = batches.filter((batch) => batch.run === run);
    await queue.complete(
      transaction,
      run,
      own.map(({ id }) => id),
    );
  }
}

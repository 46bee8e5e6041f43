import { batchId } from "./batches.js";
import type { Cluster } from "./cluster.js";
import type { Queries } from "./database/connect.js";
import { type WaitOptions, whenBack } from "./database/when-back.js";
import { byBatch, type HeldBatch, type HeldItem } from "./held-batch.js";

/** Puts episodes back into the queue that were taken and not begun, for others. */
export async function giveBack(
  cluster: Cluster,
  items: readonly HeldItem[],
  wait: WaitOptions = {},
): Promise<void> {
  for (const [batch, some] of byBatch(items)) {
    // With an id made beforehand, doing it twice is doing it once.
    const again = { id: batchId(0), task: batch.task, items: some.map(({ item }) => item) };
    const isDone = batch.isDoneWith(some.length);
    await whenBack(
      () =>
        cluster.database.transaction(async (transaction) => {
          await cluster.queue.insert(transaction, batch.run, [again]);
          if (isDone) await release(cluster, transaction, [batch]);
        }),
      wait,
    );
    if (batch.settle(some.length) && !isDone) await releaseLate(cluster, [batch], wait);
  }
}

/** Forgets episodes that nobody is to run any more. */
export async function discard(
  cluster: Cluster,
  items: readonly HeldItem[],
  wait: WaitOptions = {},
): Promise<void> {
  for (const [batch, some] of byBatch(items)) {
    if (batch.settle(some.length)) await releaseLate(cluster, [batch], wait);
  }
}

/**
 * Ends batches whose last episodes were recorded and given back at the same moment, so that neither
 * could know that it was the end.
 */
export async function releaseLate(
  cluster: Cluster,
  batches: readonly HeldBatch[],
  wait: WaitOptions = {},
): Promise<void> {
  if (batches.length === 0) return;
  await whenBack(() => cluster.database.transaction((tx) => release(cluster, tx, batches)), wait);
}

/** Ends batches of which everything is settled. */
export async function release(
  { queue }: Cluster,
  transaction: Queries,
  batches: readonly HeldBatch[],
): Promise<void> {
  if (batches.length === 0) return;
  // In the order in which sweep.ts does it: neither can then wait for the other.
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

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
    await whenBack(
      () =>
        cluster.database.transaction(async (transaction) => {
          await cluster.queue.insert(transaction, batch.run, [again]);
          if (batch.isDoneWith(some.length)) await release(cluster, transaction, [batch]);
        }),
      wait,
    );
    batch.settle(some.length);
  }
}

/** Forgets episodes that nobody is to run any more. */
export async function discard(
  cluster: Cluster,
  items: readonly HeldItem[],
  wait: WaitOptions = {},
): Promise<void> {
  for (const [batch, some] of byBatch(items)) {
    if (batch.isDoneWith(some.length)) {
      await whenBack(
        () => cluster.database.transaction((tx) => release(cluster, tx, [batch])),
        wait,
      );
    }
    batch.settle(some.length);
  }
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
  for (const { run, id } of batches) await queue.complete(transaction, run, [id]);
}

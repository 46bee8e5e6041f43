import type { Item } from "./batches.js";
import type { Lease } from "./lease-batches.js";

/** A batch leased by this worker, with the number of its unfinished episodes. */
export class LeasedBatch {
  readonly id: string;
  readonly runId: string;
  /** The run's number. */
  readonly run: number;
  readonly task: string;
  #left: number;

  constructor({ run, batch, jobs }: Lease) {
    this.id = batch.id;
    this.runId = run.run_id;
    this.run = run.no;
    this.task = batch.task;
    this.#left = jobs.length;
  }

  /** True if `count` more finished episodes complete the batch. */
  isDoneWith(count: number): boolean {
    return this.#left <= count;
  }

  /**
   * Counts episodes that were recorded, requeued or dropped.
   *
   * @returns true if the batch is complete
   */
  countDone(count: number): boolean {
    this.#left -= count;
    return this.#left <= 0;
  }
}

/** An episode of a leased batch. */
export interface LeasedItem {
  readonly batch: LeasedBatch;
  readonly item: Item;
}

export function byBatch<T extends LeasedItem>(items: readonly T[]): Map<LeasedBatch, T[]> {
  const groups = new Map<LeasedBatch, T[]>();
  for (const item of items) {
    const group = groups.get(item.batch);
    if (group) group.push(item);
    else groups.set(item.batch, [item]);
  }
  return groups;
}

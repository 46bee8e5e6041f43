import type { Item } from "./batches.js";
import type { Taken } from "./take.js";

/** A batch that this worker has taken: how much of it is still to be settled. */
export class HeldBatch {
  readonly id: string;
  readonly runId: string;
  /** The run's number. */
  readonly run: number;
  readonly task: string;
  #left: number;

  constructor({ run, batch, jobs }: Taken) {
    this.id = batch.id;
    this.runId = run.run_id;
    this.run = run.no;
    this.task = batch.task;
    this.#left = jobs.length;
  }

  /** Whether the batch is done when so many more of it are settled. */
  isDoneWith(count: number): boolean {
    return this.#left <= count;
  }

  /**
   * So many are recorded, or were given back.
   *
   * @returns whether that was the rest
   */
  settle(count: number): boolean {
    this.#left -= count;
    return this.#left <= 0;
  }
}

/** An episode of a batch that is held. */
export interface HeldItem {
  readonly batch: HeldBatch;
  readonly item: Item;
}

/** Items by their batch. */
export function byBatch<T extends HeldItem>(items: readonly T[]): Map<HeldBatch, T[]> {
  const groups = new Map<HeldBatch, T[]>();
  for (const item of items) {
    const group = groups.get(item.batch);
    if (group) group.push(item);
    else groups.set(item.batch, [item]);
  }
  return groups;
}

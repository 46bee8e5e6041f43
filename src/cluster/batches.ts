import { randomBytes } from "node:crypto";

/** An episode to run, by its number in the run: `[no, repeat, attempt]`. */
export type Item = readonly [no: number, repeat: number, attempt: number];

/** Episodes that a worker leases together; the content of one queue job. */
export interface Batch {
  readonly task: string;
  readonly items: readonly Item[];
}

/** A batch with its id in the queue. */
export interface NamedBatch extends Batch {
  readonly id: string;
}

/** An episode with the fields by which episodes are grouped. */
export interface BatchedJob {
  readonly task: string;
  readonly scene: string;
  readonly item: Item;
}

const LARGEST_BATCH = 8;
/** Minimum number of batches of a run, so that workers that join later find work. */
const FEWEST_BATCHES = 32;

/** Episodes per batch for a run of `jobs` episodes. */
export function batchSize(jobs: number): number {
  return Math.max(1, Math.min(LARGEST_BATCH, Math.floor(jobs / FEWEST_BATCHES)));
}

/**
 * Groups jobs by task, repeat and scene, because loading a scene is costly. Batches are in the order of their
 * first jobs.
 *
 * @param keepsOrder groups consecutive jobs of any scene instead: early stopping needs a task's episodes in order
 */
export function makeBatches(
  jobs: readonly BatchedJob[],
  size: number,
  keepsOrder: boolean,
): readonly NamedBatch[] {
  const groups = new Map<string, { readonly task: string; readonly items: Item[] }>();
  for (const { task, scene, item } of jobs) {
    const name = JSON.stringify(keepsOrder ? [task] : [task, item[1], scene]);
    const group = groups.get(name);
    if (group) group.items.push(item);
    else groups.set(name, { task, items: [item] });
  }
  const batches: NamedBatch[] = [];
  for (const { task, items } of groups.values()) {
    for (let from = 0; from < items.length; from += size) {
      batches.push({ id: batchId(batches.length), task, items: items.slice(from, from + size) });
    }
  }
  return batches;
}

/**
 * Makes a UUID that starts with the batch's position: the queue fetches batches inserted together in the
 * order of their ids. The rest is random.
 */
export function batchId(position: number): string {
  const start = position.toString(16).padStart(8, "0");
  const rest = randomBytes(10).toString("hex");
  return `${start}-${rest.slice(0, 4)}-8${rest.slice(4, 7)}-8${rest.slice(7, 10)}-${rest.slice(8, 20)}`;
}

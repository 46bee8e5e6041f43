import { randomBytes } from "node:crypto";

/** An episode to run, by its number in the run: `[no, repeat, attempt]`. */
export type Item = readonly [no: number, repeat: number, attempt: number];

/** What a worker takes at once, and the content of a job of the queue. */
export interface Batch {
  readonly task: string;
  readonly items: readonly Item[];
}

/** A batch with the id that it has in the queue. */
export interface NamedBatch extends Batch {
  readonly id: string;
}

/** What decides which episodes go together. */
export interface BatchedJob {
  readonly task: string;
  readonly scene: string;
  readonly item: Item;
}

const LARGEST_BATCH = 8;
/** Batches that a run should have at least, so that workers that come later find some. */
const FEWEST_BATCHES = 32;

/** Episodes a batch, for a run of so many. */
export function batchSize(jobs: number): number {
  return Math.max(1, Math.min(LARGEST_BATCH, Math.floor(jobs / FEWEST_BATCHES)));
}

/**
 * Puts jobs together that are of one task, repeat and scene, since loading a scene is costly. Batches
 * come in the order of their first jobs.
 *
 * @param keepsOrder only neighbours go together, of whatever scene: where a task may stop early, its
 *   first episodes are to come first
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
 * The queue gives out what was put into it at one moment in the order of the ids: so an id begins with
 * its place. The rest makes it unlike all others.
 */
export function batchId(place: number): string {
  const start = place.toString(16).padStart(8, "0");
  const rest = randomBytes(10).toString("hex");
  return `${start}-${rest.slice(0, 4)}-8${rest.slice(4, 7)}-8${rest.slice(7, 10)}-${rest.slice(8, 20)}`;
}

import { ConfigError, show } from "../core/errors.js";
import { hash53 } from "../core/math/hash.js";

/** One of `count` parts of a selection. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

export interface SelectOptions<T> {
  /** What names an item for good: the order and the shard are made of it, and of nothing else. */
  readonly key: (item: T) => string;
  readonly filter?: ((item: T) => boolean) | undefined;
  /** A seed: the items come in an order by chance that depends on seed and keys alone. */
  readonly shuffle?: number | undefined;
  /** How many at most: the first, or with `shuffle` the first of that order. */
  readonly limit?: number | undefined;
  readonly shard?: Shard | undefined;
  /** Sees each item that is selected, before the shard is taken. */
  readonly onSelected?: ((item: T) => void) | undefined;
}

/**
 * A part of a dataset, in one reading. Filter, then shuffle, then limit say what is selected, in
 * whatever order the source gives it; the shard is taken of that. So the shards of a selection are
 * disjoint and together they are the selection, whatever else was asked for.
 *
 * An item's shard is a hash of its key: it does not depend on the file's order or on what else is in
 * the file. In return shards are about equally large, not exactly.
 *
 * Memory: nothing is kept without `shuffle`, and reading stops at the limit; `shuffle` with `limit`
 * keeps `limit` items, `shuffle` alone keeps all.
 */
export async function* selectItems<T>(
  source: Iterable<T> | AsyncIterable<T>,
  options: SelectOptions<T>,
): AsyncGenerator<T> {
  const { key, shuffle, shard, onSelected } = options;
  const chosen = shuffle === undefined ? firstOf(source, options) : drawn(source, options, shuffle);
  for await (const item of chosen) {
    onSelected?.(item);
    if (!shard || inShard(key(item), shard)) yield item;
  }
}

async function* firstOf<T>(
  source: Iterable<T> | AsyncIterable<T>,
  { filter, limit = Number.POSITIVE_INFINITY }: SelectOptions<T>,
): AsyncGenerator<T> {
  let count = 0;
  if (limit <= 0) return;
  for await (const item of source) {
    if (filter && !filter(item)) continue;
    yield item;
    // Before the next one is asked for: a limit must not read further than it has to.
    if (++count >= limit) return;
  }
}

async function* drawn<T>(
  source: Iterable<T> | AsyncIterable<T>,
  { key, filter, limit = Number.POSITIVE_INFINITY }: SelectOptions<T>,
  seed: number,
): AsyncGenerator<T> {
  const least = new Smallest<T>(limit);
  for await (const item of source) {
    if (filter && !filter(item)) continue;
    const name = key(item);
    least.offer({ rank: hash53(`shuffle ${seed} ${name}`), key: name, item });
  }
  for (const { item } of least.sorted()) yield item;
}

function inShard(key: string, { index, count }: Shard): boolean {
  return hash53(`shard ${key}`) % count === index - 1;
}

/** Reads `2/4`: the second of four parts. */
export function parseShard(text: string, where = "--shard"): Shard {
  const [, index, count] = (/^\s*(\d+)\s*\/\s*(\d+)\s*$/.exec(text) ?? []).map(Number);
  const valid =
    index !== undefined &&
    count !== undefined &&
    Number.isSafeInteger(count) &&
    index >= 1 &&
    index <= count;
  if (valid) return { index, count };
  throw new ConfigError("bad_shard", `${show(text)} is not a shard`, {
    where,
    hint: "write which part of how many, from 1: 1/4, 2/4, 3/4, 4/4",
  });
}

interface Ranked<T> {
  readonly rank: number;
  readonly key: string;
  readonly item: T;
}

/** Ties of the hash are broken by the key: the order of the source must not show. */
function before<T>(a: Ranked<T>, b: Ranked<T>): boolean {
  return a.rank === b.rank ? a.key < b.key : a.rank < b.rank;
}

/** The `limit` smallest of what was offered: a binary heap whose top is the largest of those kept. */
class Smallest<T> {
  readonly #heap: Ranked<T>[] = [];

  constructor(readonly limit: number) {}

  offer(entry: Ranked<T>): void {
    const heap = this.#heap;
    if (heap.length < this.limit) {
      heap.push(entry);
      // Without a limit the heap's order is never asked for.
      if (this.limit !== Number.POSITIVE_INFINITY) this.#up(heap.length - 1);
      return;
    }
    const top = heap[0];
    if (!top || !before(entry, top)) return;
    heap[0] = entry;
    this.#down(0);
  }

  sorted(): Ranked<T>[] {
    return this.#heap.sort((a, b) => (before(a, b) ? -1 : 1));
  }

  #up(start: number): void {
    for (let i = start; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (!before(this.#at(parent), this.#at(i))) return;
      this.#swap(i, parent);
      i = parent;
    }
  }

  #down(start: number): void {
    for (let i = start; ; ) {
      let largest = i;
      for (const child of [2 * i + 1, 2 * i + 2]) {
        if (child < this.#heap.length && before(this.#at(largest), this.#at(child)))
          largest = child;
      }
      if (largest === i) return;
      this.#swap(i, largest);
      i = largest;
    }
  }

  #at(i: number): Ranked<T> {
    return this.#heap[i] as Ranked<T>;
  }

  #swap(i: number, j: number): void {
    [this.#heap[i], this.#heap[j]] = [this.#at(j), this.#at(i)];
  }
}

import { ConfigError, show } from "../core/errors.js";
import { hash53 } from "../core/math/hash.js";
import { FirstOf } from "./first-of.js";

/** One of `count` parts of a selection. */
export interface Shard {
  /** Counted from 1. */
  readonly index: number;
  readonly count: number;
}

export interface SelectOptions<T> {
  /** A stable name of the item. Order and shard depend on it alone. */
  readonly key: (item: T) => string;
  readonly filter?: ((item: T) => boolean) | undefined;
  /** Seed of a pseudo-random order that depends only on the seed and the keys. */
  readonly shuffle?: number | undefined;
  /** Maximum number of items: the first in source order, or in shuffled order with `shuffle`. */
  readonly limit?: number | undefined;
  readonly shard?: Shard | undefined;
  /** Called with each selected item, before sharding. */
  readonly onSelected?: ((item: T) => void) | undefined;
}

/**
 * Selects part of a dataset in one pass. Filter, shuffle and limit determine the selection; the shard is then
 * taken from it. The shards of a selection are therefore disjoint and together equal the selection.
 *
 * An item's shard is a hash of its key, so it does not depend on the file's order or other content. In
 * return, shards have about equal sizes, not exactly equal ones.
 *
 * Memory: nothing is stored without `shuffle`, and reading stops at the limit; `shuffle` with `limit`
 * stores twice `limit` items, `shuffle` alone stores all.
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
    // Checked before requesting the next item, so that a limit reads no further than necessary.
    if (++count >= limit) return;
  }
}

async function* drawn<T>(
  source: Iterable<T> | AsyncIterable<T>,
  { key, filter, limit = Number.POSITIVE_INFINITY }: SelectOptions<T>,
  seed: number,
): AsyncGenerator<T> {
  const first = new FirstOf<Ranked<T>>(limit, byRank);
  for await (const item of source) {
    if (filter && !filter(item)) continue;
    const name = key(item);
    first.add({ rank: hash53(`shuffle ${seed} ${name}`), key: name, item });
  }
  for (const { item } of first.items) yield item;
}

function inShard(key: string, { index, count }: Shard): boolean {
  return hash53(`shard ${key}`) % count === index - 1;
}

/** Parses `2/4`: the second of four shards. */
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
    hint: "write <index>/<count>, counted from 1: 1/4, 2/4, 3/4, 4/4",
  });
}

interface Ranked<T> {
  readonly rank: number;
  readonly key: string;
  readonly item: T;
}

/** Breaks hash ties by key, so that the result does not depend on source order. */
function byRank<T>(a: Ranked<T>, b: Ranked<T>): number {
  return a.rank - b.rank || (a.key < b.key ? -1 : 1);
}

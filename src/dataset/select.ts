import { ConfigError, show } from "../core/errors.js";
import { hash53 } from "../core/math/hash.js";
import { FirstOf } from "./first-of.js";

/** One of `count` parts of a selection. */
export interface Shard {
  /** Counted from 1. */
  readonly index: number;
  readonly count: number;
}

interface SampleOptions<T> {
  readonly count: number;
  readonly seed: number;
  readonly stratum: (item: T) => string;
}

export interface SelectOptions<T> {
  /** A stable name of the item. Order and shard depend on it alone. */
  readonly key: (item: T) => string;
  readonly filter?: ((item: T) => boolean) | undefined;
  /** Seed of a pseudo-random order that depends only on the seed and the keys. */
  readonly shuffle?: number | undefined;
  /** Maximum number of items: the first in source order, or in shuffled order with `shuffle`. */
  readonly first?: number | undefined;
  /** A stratified random sample instead of the first items. */
  readonly sample?: SampleOptions<T> | undefined;
  readonly shard?: Shard | undefined;
  /** Called with each selected item, before sharding. */
  readonly onSelected?: ((item: T) => void) | undefined;
}

/**
 * Selects part of a dataset in one pass. Filter, shuffle and sample or `first` determine the selection; the shard
 * is then taken from it. The shards of a selection are therefore disjoint and together equal the selection.
 *
 * An item's shard is a hash of its key, so it does not depend on the file's order or other content. In
 * return, shards have about equal sizes, not exactly equal ones.
 *
 * Memory: without `shuffle` and `sample` nothing is stored, and reading stops after `first` items; `shuffle` with
 * `first` stores twice as many items, `shuffle` alone and `sample` store all.
 */
export async function* selectItems<T>(
  source: Iterable<T> | AsyncIterable<T>,
  options: SelectOptions<T>,
): AsyncGenerator<T> {
  const { key, shuffle, sample, shard, onSelected } = options;
  const ordered =
    shuffle === undefined ? firstOf(source, options) : drawn(source, options, shuffle);
  const chosen = sample ? sampled(ordered, key, sample) : ordered;
  for await (const item of chosen) {
    onSelected?.(item);
    if (!shard || inShard(key(item), shard)) yield item;
  }
}

async function* firstOf<T>(
  source: Iterable<T> | AsyncIterable<T>,
  { filter, first = Number.POSITIVE_INFINITY }: SelectOptions<T>,
): AsyncGenerator<T> {
  let count = 0;
  if (first <= 0) return;
  for await (const item of source) {
    if (filter && !filter(item)) continue;
    yield item;
    // Checked before requesting the next item, so that no more is read than necessary.
    if (++count >= first) return;
  }
}

async function* drawn<T>(
  source: Iterable<T> | AsyncIterable<T>,
  { key, filter, first: most = Number.POSITIVE_INFINITY }: SelectOptions<T>,
  seed: number,
): AsyncGenerator<T> {
  const first = new FirstOf<Ranked<T>>(most, byRank);
  for await (const item of source) {
    if (filter && !filter(item)) continue;
    const name = key(item);
    first.add({ rank: hash53(`shuffle ${seed} ${name}`), key: name, item });
  }
  for (const { item } of first.items) yield item;
}

/** Resolution of a sample's random start. */
const START_PARTS = 2 ** 16;

/**
 * A systematic random sample: items are ordered by stratum and within it, both by hash, and every (N/n)-th is taken from
 * a random start. A stratum of c items therefore has c·n/N sampled items, rounded up or down at random, and every item
 * has the same chance. The sample does not depend on the source order; it is yielded in that order.
 * Source: Madow and Madow, "On the theory of systematic sampling", Annals of Mathematical Statistics 15 (1944).
 */
async function* sampled<T>(
  source: AsyncIterable<T>,
  key: (item: T) => string,
  { count, seed, stratum }: SampleOptions<T>,
): AsyncGenerator<T> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  if (items.length <= count) {
    yield* items;
    return;
  }
  const ranked = items.map((item): Ranked<T> & { readonly stratum: Ranked<T> } => {
    const name = key(item);
    const group = stratum(item);
    return {
      ...{ rank: hash53(`sample ${seed} ${name}`), key: name, item },
      stratum: { rank: hash53(`sample of ${seed} ${group}`), key: group, item },
    };
  });
  ranked.sort((a, b) =>
    a.stratum.key === b.stratum.key ? byRank(a, b) : byRank(a.stratum, b.stratum),
  );
  const start = hash53(`sample from ${seed}`) % START_PARTS;
  const chosen = new Set<T>();
  for (let k = 0; k < count; k++) {
    // In whole numbers, so that no rounding changes a stratum's share.
    const at = Math.floor(((start + k * START_PARTS) * items.length) / (START_PARTS * count));
    const found = ranked[at];
    if (found) chosen.add(found.item);
  }
  for (const item of items) if (chosen.has(item)) yield item;
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

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../core/errors.js";
import { parseShard, type SelectOptions, selectItems } from "./select.js";

async function select(
  source: Iterable<string> | AsyncIterable<string>,
  options: Partial<SelectOptions<string>>,
): Promise<string[]> {
  const items: string[] = [];
  for await (const item of selectItems(source, { key: (text) => text, ...options }))
    items.push(item);
  return items;
}

const keys = fc.uniqueArray(fc.string({ maxLength: 8 }), { maxLength: 60 });
const seed = fc.nat();

/** The same items in a different order. */
const reordered = keys.chain((items) =>
  fc.shuffledSubarray(items, { minLength: items.length }).map((other) => [items, other] as const),
);

describe("selectItems without options", () => {
  it("selectItems without options yields everything in source order", async () => {
    expect(await select(["b", "a", "c"], {})).toEqual(["b", "a", "c"]);
  });
});

describe("sharding", () => {
  const options = fc.record({
    shuffle: fc.option(seed, { nil: undefined }),
    first: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
  });

  it("sharding puts each selected item into exactly one shard", async () => {
    await fc.assert(
      fc.asyncProperty(
        keys,
        fc.integer({ min: 1, max: 9 }),
        options,
        async (items, count, more) => {
          const filter = (text: string) => !text.includes("a");
          const whole = await select(items, { ...more, filter });
          const parts: string[] = [];
          for (let index = 1; index <= count; index++) {
            parts.push(...(await select(items, { ...more, filter, shard: { index, count } })));
          }
          expect(parts.sort()).toEqual([...whole].sort());
        },
      ),
    );
  });

  it("the shard of an item does not depend on the order or on other items", async () => {
    await fc.assert(
      fc.asyncProperty(reordered, keys, async ([items, other], more) => {
        const shard = { index: 2, count: 3 };
        const here = new Set(await select(items, { shard }));
        const there = new Set(await select(new Set([...more, ...other]), { shard }));
        for (const item of items) expect(there.has(item)).toBe(here.has(item));
      }),
    );
  });

  it("shards have about equal sizes", async () => {
    const items = Array.from({ length: 4000 }, (_, i) => `vln/scene_${i % 20}/${i}`);
    for (let index = 1; index <= 4; index++) {
      const { length } = await select(items, { shard: { index, count: 4 } });
      expect(Math.abs(length - 1000)).toBeLessThan(150);
    }
  });
});

describe("shuffling", () => {
  it("the same seed gives the same permutation for any source order", async () => {
    await fc.assert(
      fc.asyncProperty(reordered, seed, async ([items, other], shuffle) => {
        const order = await select(items, { shuffle });
        expect([...order].sort()).toEqual([...items].sort());
        expect(await select(other, { shuffle })).toEqual(order);
      }),
    );
  });

  it("another seed gives another order", async () => {
    const items = Array.from({ length: 50 }, (_, i) => `episode ${i}`);
    const [one, two] = [await select(items, { shuffle: 1 }), await select(items, { shuffle: 2 })];
    expect(one).not.toEqual(two);
    expect(one).not.toEqual(items);
  });

  it("shuffling places each item at each position equally often", async () => {
    const items = ["a", "b", "c", "d"];
    const first = new Map<string | undefined, number>();
    for (let shuffle = 0; shuffle < 4000; shuffle++) {
      const [item] = await select(items, { shuffle, first: 1 });
      first.set(item, (first.get(item) ?? 0) + 1);
    }
    for (const item of items) expect(Math.abs((first.get(item) ?? 0) - 1000)).toBeLessThan(150);
  });
});

describe("limiting", () => {
  it("limiting takes the start of the shuffled order for any source order", async () => {
    await fc.assert(
      fc.asyncProperty(reordered, seed, fc.nat({ max: 70 }), async ([items, other], s, limit) => {
        const whole = await select(items, { shuffle: s });
        expect(await select(other, { shuffle: s, first: limit })).toEqual(whole.slice(0, limit));
      }),
    );
  });

  it("limiting counts only items that pass the filter", async () => {
    const filter = (text: string) => text !== "a";
    expect(await select(["a", "b", "a", "c", "d"], { filter, first: 2 })).toEqual(["b", "c"]);
  });

  it("limiting stops reading at the limit", async () => {
    let read = 0;
    async function* endless() {
      for (;;) yield `item ${read++}`;
    }
    expect(await select(endless(), { first: 3 })).toHaveLength(3);
    expect(read).toBe(3);
  });
});

describe("sampling", () => {
  const scene = (text: string) => text.split("/")[0] ?? "";
  /** `scene/number`, with a different number of items in each scene. */
  const items = fc
    .array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 })
    .map((sizes) =>
      sizes.flatMap((size, s) => Array.from({ length: size }, (_, i) => `s${s}/${i}`)),
    );
  const countByScene = (chosen: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const item of chosen) counts.set(scene(item), (counts.get(scene(item)) ?? 0) + 1);
    return counts;
  };
  const sampleOf = (source: Iterable<string>, count: number, seed: number) =>
    select(source, { sample: { count, seed, stratum: scene } });

  it("sampling gives each stratum its proportional share, rounded up or down", async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 60 }), seed, async (all, count, s) => {
        const chosen = await sampleOf(all, count, s);
        expect(new Set(chosen).size).toBe(Math.min(count, all.length));
        const counts = countByScene(chosen);
        for (const [name, size] of countByScene(all)) {
          const share = (size * chosen.length) / all.length;
          expect(Math.abs((counts.get(name) ?? 0) - share)).toBeLessThan(1);
        }
      }),
    );
  });

  it("sampling draws the same items for any source order, in source order", async () => {
    const cases = items.chain((all) =>
      fc.shuffledSubarray(all, { minLength: all.length }).map((other) => [all, other] as const),
    );
    await fc.assert(
      fc.asyncProperty(cases, fc.nat({ max: 20 }), seed, async ([all, other], count, s) => {
        const chosen = new Set(await sampleOf(all, count + 1, s));
        expect(await sampleOf(other, count + 1, s)).toEqual(
          other.filter((item) => chosen.has(item)),
        );
      }),
    );
  });

  it("sampling draws each item equally often over the seeds, also items of small strata", async () => {
    const all = ["a/0", "a/1", "a/2", "a/3", "b/0", "c/0", "c/1", "c/2"];
    const drawn = new Map(all.map((item) => [item, 0]));
    for (let s = 0; s < 4000; s++) {
      for (const item of await sampleOf(all, 3, s)) drawn.set(item, (drawn.get(item) ?? 0) + 1);
    }
    for (const [, count] of drawn) expect(Math.abs(count - 1500)).toBeLessThan(130);
  });

  it("sampling draws other items with another seed", async () => {
    const all = Array.from({ length: 60 }, (_, i) => `s${i % 6}/${i}`);
    expect(await sampleOf(all, 12, 1)).not.toEqual(await sampleOf(all, 12, 2));
  });

  it("sampling counts only items that pass the filter, and is split into shards afterwards", async () => {
    const all = Array.from({ length: 40 }, (_, i) => `s${i % 4}/${i}`);
    const filter = (text: string) => scene(text) !== "s1";
    const sample = { count: 9, seed: 3, stratum: scene };
    const whole = await select(all, { filter, sample });
    expect(countByScene(whole)).toEqual(
      new Map([
        ["s0", 3],
        ["s2", 3],
        ["s3", 3],
      ]),
    );
    const parts = [1, 2].map((index) =>
      select(all, { filter, sample, shard: { index, count: 2 } }),
    );
    expect((await Promise.all(parts)).flat().sort()).toEqual([...whole].sort());
  });
});

describe("parseShard", () => {
  it.each([
    ["1/4", { index: 1, count: 4 }],
    ["4/4", { index: 4, count: 4 }],
    [" 2 / 3 ", { index: 2, count: 3 }],
  ])("parseShard parses %j", (text, shard) => {
    expect(parseShard(text)).toEqual(shard);
  });

  it.each([
    "",
    "1",
    "0/4",
    "5/4",
    "-1/4",
    "1/0",
    "a/b",
    "1/4/2",
    "1.5/4",
    "1/99999999999999999999",
  ])("parseShard rejects %j", (text) => {
    expect(() => parseShard(text)).toThrow(ConfigError);
    expect(() => parseShard(text)).toThrow("is not a shard");
  });
});

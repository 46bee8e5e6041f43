import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hash53 } from "./hash.js";

describe("the 53-bit hash of a text", () => {
  it("the 53-bit hash of a text is a deterministic whole number that JSON represents exactly", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const hash = hash53(text);
        expect(Number.isSafeInteger(hash)).toBe(true);
        expect(hash).toBeGreaterThanOrEqual(0);
        expect(hash53(text)).toBe(hash);
      }),
    );
  });

  it("the 53-bit hash of a text does not change between versions, because shards and stored orders depend on it", () => {
    expect([hash53(""), hash53("a"), hash53("vln/house_00/val_000")]).toEqual([
      5014385803749558, 241888654516877, 2470748013904065,
    ]);
  });

  it("the 53-bit hash of a text has no collisions among a hundred thousand keys of one pattern", () => {
    const seen = new Set<number>();
    for (let i = 0; i < 100_000; i++) seen.add(hash53(`vln/scene_${i % 90}/${i}`));
    expect(seen.size).toBe(100_000);
  });

  it.each([2, 3, 4, 7, 10, 16])(
    "the 53-bit hash of a text spreads neighbouring ids evenly over %i shards",
    (n) => {
      const counts = new Array<number>(n).fill(0);
      const total = 20_000;
      for (let i = 0; i < total; i++) {
        const shard = hash53(`${i}`) % n;
        counts[shard] = (counts[shard] ?? 0) + 1;
      }
      // Chi-square; its mean is n - 1 and its standard deviation sqrt(2 (n - 1)).
      const expected = total / n;
      const chi2 = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      expect(chi2).toBeLessThan(n - 1 + 5 * Math.sqrt(2 * (n - 1)));
    },
  );
});

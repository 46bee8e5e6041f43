import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparePairs } from "./paired-comparison.js";
import { tangoInterval } from "./tango.js";

const zeros = (n: number) => new Array<number>(n).fill(0);
const ones = (n: number) => new Array<number>(n).fill(1);

describe("comparePairs of outcomes", () => {
  it("comparePairs gives the Tango interval, the McNemar score test and the discordant pairs", () => {
    const found = comparePairs(zeros(5), ones(5));
    expect(found).toMatchObject({ method: "tango", test: "mcnemar_score" });
    expect(found.interval).toEqual(tangoInterval({ onlyFirst: 0, onlySecond: 5, n: 5 }));
    expect(found.discordant).toEqual({ onlyFirst: 0, onlySecond: 5, n: 5 });
    expect(found.p).toBeCloseTo(0.0253, 4);
  });

  it("comparePairs counts the effective number of pairs where episodes share scenes", () => {
    // The second run gains a whole scene of four.
    const second = [1, 1, 1, 1, ...zeros(8)];
    const alone = comparePairs(zeros(12), second);
    const shared = comparePairs(zeros(12), second, { scenes: [..."aaaabbbbcccc"] });
    expect(alone.p).toBeCloseTo(0.0455, 4);
    expect(shared.p).toBeGreaterThan(0.3);
    expect(shared.method).toBe("tango_scenes");
    expect(shared.interval?.[0]).toBeLessThan(alone.interval?.[0] ?? 0);
  });

  it("comparePairs gives a difference over two scenes an interval inside [-1, 1]", () => {
    const first = [1, 1, 1, 1, 1, 1, 0, 1];
    const [low = 0, high = 0] =
      comparePairs(first, zeros(8), { scenes: [..."aaaabbbb"] }).interval ?? [];
    expect(low).toBeGreaterThanOrEqual(-1);
    expect(high).toBeLessThanOrEqual(1);
  });

  it("comparePairs gives no interval and no p for no pairs", () => {
    expect(comparePairs([], [])).toMatchObject({ interval: null, method: "none", p: null });
  });
});

describe("comparePairs of other values", () => {
  it("comparePairs gives the Student t interval of the differences, cut to the differences that the range allows", () => {
    const found = comparePairs([0, 0.9, 0], [1, 0, 1], { range: [0, 1] });
    expect(found).toMatchObject({ method: "student_t", test: "paired_t", discordant: null });
    expect(found.interval).toEqual([-1, 1]);
    const [low = 0, high = 0] = comparePairs([0, 0.9, 0], [1, 0, 1]).interval ?? [];
    expect(low).toBeLessThan(-1);
    expect(high).toBeGreaterThan(1);
  });

  it("comparePairs treats means over repeats as values, even where all are 0 or 1", () => {
    expect(comparePairs([0, 1, 0], [1, 1, 0], { repeated: true }).test).toBe("paired_t");
  });

  it("comparePairs gives no interval and no p for one pair", () => {
    expect(comparePairs([0.2], [0.4], { range: [0, 1] })).toMatchObject({
      interval: null,
      method: "none",
      p: null,
    });
    expect(comparePairs([0.2], [0.4]).tellApart(0.05)).toBeNull();
  });

  it("comparePairs gives equal differences of a bounded metric an interval with a width", () => {
    const found = comparePairs([0.1, 0.3, 0.5], [0.3, 0.5, 0.7], { range: [0, 1] });
    expect(found).toMatchObject({ method: "equal_values", test: "equal_values" });
    const [low = 0, high = 0] = found.interval ?? [];
    expect(high - low).toBeGreaterThan(0.5);
    expect(found.p).toBeGreaterThan(0.3);
  });

  it("comparePairs gives equal differences of an unbounded metric the exact sign test and no interval", () => {
    const found = comparePairs([1, 2, 3], [2, 3, 4]);
    expect(found).toMatchObject({ interval: null, method: "none", test: "sign_exact", p: 1 / 4 });
    expect(found.tellApart(0.05)).toEqual({ needed: 6, more: 3, detectable: null });
  });

  it("comparePairs rejects lists of different lengths and NaN values", () => {
    expect(() => comparePairs([1, 2], [1])).toThrow(
      "2 values of the first run but 1 of the second",
    );
    expect(() => comparePairs([1, 2], [1, Number.NaN])).toThrow("second[1] is NaN");
  });
});

describe("the parts of a paired comparison", () => {
  const value = fc.oneof(
    fc.constantFrom(0, 1),
    fc.integer({ min: 0, max: 8 }).map((x) => x / 8),
  );
  const rows = (values: fc.Arbitrary<number>) =>
    fc.array(fc.tuple(values, values, fc.constantFrom("a", "b", "c", "d")), {
      minLength: 2,
      maxLength: 25,
    });
  const compared = fc.tuple(
    fc.oneof(rows(fc.constantFrom(0, 1)), rows(value)),
    fc.boolean(),
    fc.constantFrom<readonly [number, number] | undefined>([0, 1], undefined),
  );

  it("the parts of a paired comparison never contradict each other", () => {
    fc.assert(
      fc.property(compared, ([list, withScenes, range]) => {
        const first = list.map(([a]) => a);
        const second = list.map(([, b]) => b);
        const scenes = withScenes ? list.map(([, , scene]) => scene) : undefined;
        const { interval, p, tellApart } = comparePairs(first, second, { scenes, range });
        const difference =
          second.reduce((x, y) => x + y, 0) / list.length -
          first.reduce((x, y) => x + y, 0) / list.length;
        if (interval) {
          const [low, high] = interval;
          expect(low).toBeLessThanOrEqual(difference + 1e-9);
          expect(high).toBeGreaterThanOrEqual(difference - 1e-9);
          expect(high - low).toBeGreaterThan(1e-3);
          if (range) expect(Math.max(-low, high)).toBeLessThanOrEqual(1);
          // Within rounding of the level itself either answer is right.
          if (Math.abs((p ?? 1) - 0.05) > 1e-6) {
            expect(low > 0 || high < 0).toBe((p ?? 1) < 0.05);
          }
        }
        for (const alpha of [0.05, 0.01]) {
          if (p === null || p < alpha) continue;
          const apart = tellApart(alpha);
          if (!apart) continue;
          if (apart.detectable !== null) {
            expect(apart.detectable).toBeGreaterThan(Math.abs(difference) - 1e-9);
            if (range) expect(apart.detectable).toBeLessThanOrEqual(1);
          }
          if (apart.more !== null) expect(apart.more).toBeGreaterThan(0);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

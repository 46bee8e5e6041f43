import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configDifferences } from "./config-diff.js";

describe("configDifferences", () => {
  it("configDifferences lists changed keys with both values", () => {
    const a = { evaluation: { max_steps: 500, seed: 0 }, agent: "random" };
    const b = { evaluation: { max_steps: 50, seed: 0 }, agent: "forward" };
    expect(configDifferences(a, b)).toEqual([
      { key: "evaluation.max_steps", a: 500, b: 50 },
      { key: "agent", a: "random", b: "forward" },
    ]);
  });

  it("configDifferences includes keys that only one config has", () => {
    expect(configDifferences({ x: { y: 1 } }, { z: 2 })).toEqual([
      { key: "x", a: { y: 1 }, b: undefined },
      { key: "z", a: undefined, b: 2 },
    ]);
  });

  it("configDifferences reports a list as a whole, and a section replaced by a value", () => {
    expect(configDifferences({ m: [1, 2], s: { t: 1 } }, { m: [2, 1], s: 1 })).toEqual([
      { key: "m", a: [1, 2], b: [2, 1] },
      { key: "s", a: { t: 1 }, b: 1 },
    ]);
  });

  it("configDifferences takes a default that earlier versions recorded as equal to an absent key", () => {
    const recorded = (max_steps: number) => ({ evaluation: { seed: 0, max_steps } });
    const now = { evaluation: { seed: 0 } };
    expect(configDifferences(recorded(500), now)).toEqual([]);
    expect(configDifferences(now, recorded(500))).toEqual([]);
    expect(configDifferences(recorded(400), now)).toHaveLength(1);
  });

  it("configDifferences ignores the order of keys", () => {
    expect(configDifferences({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toEqual([]);
  });

  it("configDifferences is empty for a copy, and symmetric", () => {
    const document = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(document, document, (a, b) => {
        expect(configDifferences(a, structuredClone(a))).toEqual([]);
        const there = configDifferences(a, b).map(({ key }) => key);
        const back = configDifferences(b, a).map(({ key }) => key);
        expect(new Set(back)).toEqual(new Set(there));
      }),
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstDifference } from "./difference.js";

describe("the first difference of two JSON values", () => {
  it("the comparison of two JSON values finds no difference between a value and its copy with other key order", () => {
    const json = fc.jsonValue();
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), (value) => {
        const copy = Object.fromEntries(Object.entries(structuredClone(value)).reverse());
        expect(firstDifference(value, copy)).toBeUndefined();
      }),
    );
  });

  it("the comparison of two JSON values finds any changed number", () => {
    const path = fc.array(fc.oneof(fc.nat(3), fc.constantFrom("a", "state", "qpos")), {
      maxLength: 6,
    });
    const wrap = (steps: readonly (string | number)[], leaf: number): unknown =>
      steps.reduceRight<unknown>(
        (inner, step) =>
          typeof step === "string" ? { same: 1, [step]: inner } : [...Array(step).fill(0), inner],
        leaf,
      );
    fc.assert(
      fc.property(path, fc.double({ noNaN: true }), (steps, number) => {
        const field = steps
          .map((step) => (typeof step === "string" ? `.${step}` : `[${step}]`))
          .join("")
          .replace(/^\./, "");
        const other = number === 1 ? 2 : 1;
        expect(firstDifference(wrap(steps, number), wrap(steps, other))).toEqual({
          ...{ field, recorded: number, now: other },
        });
      }),
    );
  });

  it("the comparison of two JSON values finds a difference in the last bit of a number", () => {
    const found = firstDifference({ x: [0.1, 0.3] }, { x: [0.1, 0.1 + 0.2] });
    expect(found).toEqual({ field: "x[1]", recorded: 0.3, now: 0.30000000000000004 });
  });

  it("the comparison of two JSON values finds a field that only one value has", () => {
    expect(firstDifference({ a: 1 }, { a: 1, b: 2 })).toEqual({
      ...{ field: "b", recorded: null, now: 2 },
    });
    expect(firstDifference([1, 2], [1])).toEqual({ field: "[1]", recorded: 2, now: null });
    expect(firstDifference({ a: [1] }, { a: { 0: 1 } })).toMatchObject({ field: "a" });
  });
});

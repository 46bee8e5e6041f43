import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { densely } from "./densely.js";

describe("a dense copy", () => {
  it("is equal to what it is made from, to the sign of zero", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.double()), (json, numbers) => {
        const value = { json, numbers, nested: [[numbers]], zero: [-0, 0.5] };
        const copied = densely(structuredClone(value));
        expect(copied).toStrictEqual(value);
        expect(Object.is(copied.zero[0], -0)).toBe(true);
      }),
    );
  });

  it("keeps a field of whatever name as a field", () => {
    const value = JSON.parse('{"__proto__": {"a": 1}}');
    expect(Object.keys(densely(value))).toEqual(["__proto__"]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toDenseArrays } from "./dense-arrays.js";

describe("a dense copy", () => {
  it("a dense copy equals its source, including the sign of zero", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.double()), (json, numbers) => {
        const value = { json, numbers, nested: [[numbers]], zero: [-0, 0.5] };
        const copied = toDenseArrays(structuredClone(value));
        expect(copied).toStrictEqual(value);
        expect(Object.is(copied.zero[0], -0)).toBe(true);
      }),
    );
  });

  it("a dense copy keeps a field named __proto__ as a field", () => {
    const value = JSON.parse('{"__proto__": {"a": 1}}');
    expect(Object.keys(toDenseArrays(value))).toEqual(["__proto__"]);
  });
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { FirstOf } from "./first-of.js";

it("FirstOf keeps the same items as sorting all of them and slicing", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 9 }), (values, most) => {
      const first = new FirstOf<number>(most, (a, b) => a - b);
      for (const value of values) first.add(value);
      expect(first.items).toEqual([...values].sort((a, b) => a - b).slice(0, most));
    }),
  );
});

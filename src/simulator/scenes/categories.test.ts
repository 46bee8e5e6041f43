import { describe, expect, it } from "vitest";
import { generateApartment } from "./apartment/apartment.js";
import { CATEGORIES, categoryNumber } from "./categories.js";

describe("the numbers of categories", () => {
  it("are different, and 0 is for what has no name here", () => {
    expect(new Set(CATEGORIES).size).toBe(CATEGORIES.length);
    expect(categoryNumber("teapot")).toBe(0);
    expect(categoryNumber("unknown")).toBe(0);
  });

  it("stay what they were: a policy's table must not go wrong", () => {
    expect(["wall", "floor", "chair", "couch", "plant", "bed", "toilet", "tv_monitor"]).toEqual(
      [1, 2, 6, 7, 8, 9, 10, 11].map((number) => CATEGORIES[number]),
    );
  });

  it("know everything that stands in an apartment", () => {
    for (let seed = 0; seed < 10; seed++) {
      for (const { category } of generateApartment(seed).instances) {
        expect(categoryNumber(category), category).toBeGreaterThan(0);
      }
    }
  });
});

import { describe, expect, it } from "vitest";
import { generateApartment } from "./apartment/apartment.js";
import { CATEGORIES, categoryNumber } from "./categories.js";

describe("the category numbers", () => {
  it("category numbers are distinct, and 0 is for unknown categories", () => {
    expect(new Set(CATEGORIES).size).toBe(CATEGORIES.length);
    expect(categoryNumber("teapot")).toBe(0);
    expect(categoryNumber("unknown")).toBe(0);
  });

  it("category numbers do not change between versions", () => {
    expect(["wall", "floor", "chair", "couch", "plant", "bed", "toilet", "tv_monitor"]).toEqual(
      [1, 2, 6, 7, 8, 9, 10, 11].map((number) => CATEGORIES[number]),
    );
  });

  it("every object of a generated apartment has a category number", () => {
    for (let seed = 0; seed < 10; seed++) {
      for (const { category } of generateApartment(seed).instances) {
        expect(categoryNumber(category), category).toBeGreaterThan(0);
      }
    }
  });
});

import { describe, expect, it } from "vitest";
import { findStoreys } from "./storeys.js";
import { HOUSE, rectangle, surfaceOf, TWO_ROOMS_POLYGONS } from "./two-rooms.fixture.js";

describe("the storeys of a surface", () => {
  it("a surface without overlaps is one storey", () => {
    expect(findStoreys(surfaceOf(TWO_ROOMS_POLYGONS)).levels).toEqual([0]);
    const hill = Array.from({ length: 20 }, (_, i) => rectangle([i, 0, i + 1, 5], i, i + 1));
    expect(findStoreys(surfaceOf(hill)).levels).toHaveLength(1);
  });

  it("an empty surface is one storey at height 0", () => {
    const none = findStoreys({ vertices: new Float32Array(), polygons: [] });
    expect(none.levels).toEqual([0]);
    expect(none.at(17)).toEqual([0]);
    expect(none.beneath(-3)).toBe(0);
  });

  it("storeys are at the heights of floors, not of the stairs between them", () => {
    const { levels } = findStoreys(HOUSE.surface);
    expect(levels).toHaveLength(2);
    expect(levels[0]).toBeCloseTo(0, 5);
    expect(levels[1]).toBeCloseTo(2.8, 5);
  });

  it("a height between two floors belongs to both storeys", () => {
    const storeys = findStoreys(HOUSE.surface);
    expect([-1, 0, 0.3, 1.4, 2.5, 2.8, 9].map((y) => storeys.at(y))).toEqual([
      [0],
      [0],
      [0],
      [0, 1],
      [1],
      [1],
      [1],
    ]);
    // A picture on the wall belongs to the floor beneath it.
    expect([0, 1.8, 2.8, 4.4].map((y) => storeys.beneath(y))).toEqual([0, 0, 1, 1]);
  });

  it("the top of a wardrobe, which has no floor beneath, is not a storey", () => {
    const wardrobe = rectangle([8.9, 0.2, 9.5, 1.5], 2.1);
    expect(findStoreys(surfaceOf([...TWO_ROOMS_POLYGONS, wardrobe])).levels).toHaveLength(1);
  });
});

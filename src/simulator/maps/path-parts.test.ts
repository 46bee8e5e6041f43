import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Vec3 } from "../../core/math/vec3.js";
import { partsOn } from "./path-parts.js";
import { findStoreys } from "./storeys.js";
import { HOUSE } from "./two-rooms.fixture.js";

const storeys = findStoreys(HOUSE.surface);

describe("the parts of a path on a storey", () => {
  it("a path that stays on one storey is one part", () => {
    const path: Vec3[] = [
      [0, 0, 0],
      [1, 0.1, 0],
      [2, 0, 0],
    ];
    expect(partsOn(path, storeys, 0)).toEqual([
      [
        { point: [0, 0], share: 0 },
        { point: [1, 0], share: 0.5 },
        { point: [2, 0], share: 1 },
      ],
    ]);
    expect(partsOn(path, storeys, 1)).toEqual([]);
  });

  it("a path that returns to a storey has several parts there", () => {
    const path: Vec3[] = [
      [0, 0, 0],
      [3, 2.8, 0],
      [6, 0, 0],
    ];
    expect(partsOn(path, storeys, 0)).toHaveLength(2);
    expect(partsOn(path, storeys, 1)).toHaveLength(1);
  });

  it("both storeys include the stairs, even if a single segment spans them", () => {
    const leg: Vec3[] = [
      [0, 0, 0],
      [8, 2.8, 0],
    ];
    const [below] = partsOn(leg, storeys, 0);
    const [above] = partsOn(leg, storeys, 1);
    // The height passes 2.3 m, half a metre below the upper floor, at x = 6.57.
    expect(below?.at(-1)?.point).toEqual([6, 0]);
    // It passes 0.5 m at x = 1.43.
    expect(above?.[0]?.point).toEqual([2, 0]);
  });

  it("the parts of all storeys contain every point of the path", () => {
    const coordinate = fc.double({ min: -5, max: 10, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate, coordinate)), (path) => {
        const shown = [0, 1].flatMap((storey) => partsOn(path, storeys, storey).flat());
        for (const [x, , z] of path) {
          expect(shown.some(({ point }) => point[0] === x && point[1] === z)).toBe(true);
        }
      }),
    );
  });
});

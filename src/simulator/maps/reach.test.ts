import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInside } from "../scenes/geometry.js";
import { type Point, planPolygons, signedArea } from "./plan.js";
import { walkableWithin } from "./reach.js";
import { rectangle, surfaceOf, TWO_ROOMS_POLYGONS } from "./two-rooms.fixture.js";

const rooms = planPolygons(surfaceOf(TWO_ROOMS_POLYGONS));
const field = planPolygons(surfaceOf([rectangle([-10, -10, 10, 10])]));
const areaOf = (rings: readonly Point[][]) =>
  rings.reduce((sum, ring) => sum + signedArea(ring), 0);
const covers = (rings: readonly Point[][], point: Point) =>
  rings.filter((ring) => isInside(ring, ...point)).length % 2 === 1;

describe("the area within walking distance", () => {
  it("the area within walking distance is a disc without obstacles", () => {
    const rings = walkableWithin(field, [0, 0], 3);
    expect(rings).toHaveLength(1);
    expect(Math.abs(areaOf(rings) / (9 * Math.PI) - 1)).toBeLessThan(0.03);
    for (const [x, z] of rings[0] ?? []) {
      expect(Math.abs(Math.sqrt(x * x + z * z) - 3)).toBeLessThan(0.1);
    }
  });

  it("the area within walking distance extends through doors and around corners, not through walls", () => {
    // The goal is just behind the wall; the path around through the door is 1.3 m.
    const rings = walkableWithin(rooms, [5.4, 0.8], 1.4);
    expect(covers(rings, [5.6, 1.6])).toBe(true);
    expect(covers(rings, [4.7, 0.8])).toBe(false);
    // 1 m each way from the middle of the door.
    const atDoor = walkableWithin(rooms, [5.05, 2], 1);
    expect(covers(atDoor, [4.2, 2])).toBe(true);
    expect(covers(atDoor, [5.9, 2])).toBe(true);
  });

  it("walking distance starts at the nearest floor if the goal is an object", () => {
    expect(areaOf(walkableWithin(rooms, [2.5, 2], 1.5))).toBeGreaterThan(1);
    expect(walkableWithin(rooms, [50, 50], 3)).toEqual([]);
  });

  it("the area within walking distance is never larger than the disc, wherever the goal is", () => {
    const x = fc.double({ min: 0.2, max: 8.9, noNaN: true });
    const z = fc.double({ min: 0.2, max: 3.8, noNaN: true });
    fc.assert(
      fc.property(x, z, fc.double({ min: 0.5, max: 4, noNaN: true }), (gx, gz, radius) => {
        for (const [px, pz] of walkableWithin(rooms, [gx, gz], radius).flat()) {
          expect(Math.hypot(px - gx, pz - gz)).toBeLessThan(radius + 1.2);
        }
      }),
      { numRuns: 30 },
    );
  });
});

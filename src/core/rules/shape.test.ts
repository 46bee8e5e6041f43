import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aboutAxis } from "../math/quat-wxyz.js";
import type { Vec3 } from "../math/vec3.js";
import { distanceToBox, halfHeight } from "./shape.js";

const at = (rotation_wxyz: readonly [number, number, number, number]) => ({
  position: [0, 0, 0] as Vec3,
  rotation_wxyz,
});
const UPRIGHT = at([1, 0, 0, 0]);
const LYING = at(aboutAxis([1, 0, 0], Math.PI / 2));
const SIZE: Vec3 = [0.06, 0.06, 0.2];

describe("halfHeight", () => {
  it.each(["box", "cylinder", "bottle", "cup", "hexagon", "capsule"] as const)(
    "halfHeight is half the height of a standing %s, and half the width of a lying one",
    (shape) => {
      expect(halfHeight(shape, SIZE, UPRIGHT)).toBeCloseTo(0.1, 12);
      expect(halfHeight(shape, SIZE, LYING)).toBeCloseTo(0.03, 12);
    },
  );

  it("halfHeight does not depend on the yaw of the object", () => {
    fc.assert(
      fc.property(fc.double({ min: -4, max: 4, noNaN: true }), (yaw) => {
        expect(halfHeight("box", SIZE, at(aboutAxis([0, 0, 1], yaw)))).toBeCloseTo(0.1, 12);
      }),
    );
  });

  it("halfHeight depends on the shape of a tilted object: a box edge, a cylinder rim, a capsule cap", () => {
    const tilted = at(aboutAxis([1, 0, 0], Math.PI / 4));
    expect(halfHeight("box", SIZE, tilted)).toBeCloseTo(0.13 * Math.SQRT1_2, 12);
    expect(halfHeight("cylinder", SIZE, tilted)).toBeCloseTo(0.13 * Math.SQRT1_2, 12);
    expect(halfHeight("capsule", SIZE, tilted)).toBeCloseTo(0.03 + 0.07 * Math.SQRT1_2, 12);
    const overCorner = at(aboutAxis([Math.SQRT1_2, Math.SQRT1_2, 0], Math.PI / 4));
    const box = halfHeight("box", SIZE, overCorner);
    expect(halfHeight("cylinder", SIZE, overCorner)).toBeLessThan(box);
  });
});

describe("distanceToBox", () => {
  it("distanceToBox is the distance from the surface, and 0 inside", () => {
    expect(distanceToBox([0.13, 0, 0], UPRIGHT, SIZE)).toBeCloseTo(0.1, 12);
    expect(distanceToBox([0, 0.33, 0.5], UPRIGHT, SIZE)).toBeCloseTo(0.5, 12);
    expect(distanceToBox([0.02, 0.01, 0.09], UPRIGHT, SIZE)).toBe(0);
  });

  it("distanceToBox takes the object rotation into account", () => {
    expect(distanceToBox([0, 0.2, 0], LYING, SIZE)).toBeCloseTo(0.1, 12);
    expect(distanceToBox([0, 0, 0.13], LYING, SIZE)).toBeCloseTo(0.1, 12);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distance3, type Vec3 } from "../core/math/vec3.js";
import { densified, distanceToSegment, lengthOf, pointAt, simplified } from "./polyline.js";

const coordinate = fc.double({ min: -20, max: 20, noNaN: true });
const point = fc.tuple(coordinate, fc.double({ min: 0, max: 3, noNaN: true }), coordinate);
const line = fc.array(point, { minLength: 2, maxLength: 12 });

function awayFrom(points: readonly Vec3[], p: Vec3): number {
  const pieces = points.slice(1).map((b, i) => distanceToSegment(p, points[i] as Vec3, b));
  return Math.min(...pieces);
}

describe("polyline", () => {
  const corner: Vec3[] = [
    [0, 0, 0],
    [0, 0, -3],
    [4, 0, -3],
  ];

  it("lengthOf returns the total length of the segments", () => {
    expect(lengthOf(corner)).toBe(7);
    expect(lengthOf([])).toBe(0);
  });

  it("pointAt returns points along the line, and its ends beyond them", () => {
    expect(pointAt(corner, 5)).toEqual([2, 0, -3]);
    expect(pointAt(corner, -1)).toEqual([0, 0, 0]);
    expect(pointAt(corner, 100)).toEqual([4, 0, -3]);
  });

  it("densified keeps length, corners and ends", () => {
    fc.assert(
      fc.property(line, fc.double({ min: 0.1, max: 3, noNaN: true }), (points, step) => {
        const dense = densified(points, step);
        expect(lengthOf(dense)).toBeCloseTo(lengthOf(points), 6);
        for (const p of points) expect(dense).toContain(p);
        dense.slice(1).forEach((b, i) => {
          expect(distance3(dense[i] as Vec3, b)).toBeLessThanOrEqual(step + 1e-6);
        });
      }),
    );
  });

  it("a line stays within the tolerance of its simplification", () => {
    fc.assert(
      fc.property(line, fc.double({ min: 0.05, max: 2, noNaN: true }), (points, tolerance) => {
        const few = simplified(points, tolerance);
        expect(few[0]).toBe(points[0]);
        expect(few.at(-1)).toBe(points.at(-1));
        for (const p of points) expect(awayFrom(few, p)).toBeLessThanOrEqual(tolerance + 1e-9);
      }),
    );
  });
});

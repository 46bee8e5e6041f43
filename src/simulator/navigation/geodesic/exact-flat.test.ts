import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distance3, type Vec3 } from "../../../core/math/vec3.js";
import { at, gridOf, spot } from "./arbitrary.fixture.js";
import { ExactGeodesic } from "./exact.js";
import { heightAboveFloor, visibilityDistance } from "./judges.fixture.js";
import { gridSurface } from "./surfaces.fixture.js";

const flat = gridOf({ max: 6, height: fc.constant(() => 0), cuts: ["none", "rising", "falling"] });

function lengthOf(path: readonly Vec3[]): number {
  return path.slice(1).reduce((sum, p, i) => sum + distance3(path[i] as Vec3, p), 0);
}

describe("shortest ways on a flat floor", () => {
  it("are as long as the best way from corner to corner that sees each other", () => {
    fc.assert(
      fc.property(flat, spot, spot, (surface, s, t) => {
        const [a, b] = [at(surface, s), at(surface, t)];
        const found = new ExactGeodesic(surface).distance(a, b);
        const judged = visibilityDistance(surface, a, b);
        if (judged === Number.POSITIVE_INFINITY) expect(found).toBe(judged);
        else expect(Math.abs(found - judged)).toBeLessThan(1e-9);
      }),
      { numRuns: 80 },
    );
  });

  it("are a metric: the same both ways to the last bit, and never longer than a detour", () => {
    fc.assert(
      fc.property(flat, spot, spot, spot, (surface, s, t, u) => {
        const exact = new ExactGeodesic(surface);
        const [a, b, c] = [at(surface, s), at(surface, t), at(surface, u)];
        const ab = exact.distance(a, b);
        expect(exact.distance(b, a)).toBe(ab);
        expect(exact.distance(a, a)).toBe(0);
        expect(ab).toBeGreaterThanOrEqual(distance3(a, b) - 1e-12);
        const detour = exact.distance(a, c) + exact.distance(c, b);
        if (detour < Number.POSITIVE_INFINITY) expect(ab).toBeLessThanOrEqual(detour + 1e-9);
      }),
      { numRuns: 100 },
    );
  });

  it("lie on the floor and are as long as the distance says", () => {
    fc.assert(
      fc.property(flat, spot, spot, (surface, s, t) => {
        const exact = new ExactGeodesic(surface);
        const [a, b] = [at(surface, s), at(surface, t)];
        const path = exact.path(a, b);
        const distance = exact.distance(a, b);
        if (distance === Number.POSITIVE_INFINITY) {
          expect(path).toEqual([]);
          return;
        }
        expect(distance3(path[0] as Vec3, a)).toBeLessThan(1e-9);
        expect(distance3(path.at(-1) as Vec3, b)).toBeLessThan(1e-9);
        expect(Math.abs(lengthOf(path) - distance)).toBeLessThan(1e-9);
        for (const [i, q] of path.slice(1).entries()) {
          const p = path[i] as Vec3;
          for (const share of [0.1, 0.5, 0.77]) {
            const x = p[0] + share * (q[0] - p[0]);
            const z = p[2] + share * (q[2] - p[2]);
            expect(heightAboveFloor(surface, [x, 0, z])).toBe(0);
          }
        }
      }),
      { numRuns: 80 },
    );
  });

  it("go around a pillar, into a U and along flush walls", () => {
    const u = new ExactGeodesic(
      gridSurface({ rows: [".......", ".#####.", ".#...#.", ".#...#.", ".......", "......."] }),
    );
    // Out of the U and up around its corner.
    expect(u.distance([3.5, 0, 2.5], [3.5, 0, 0.5])).toBeCloseTo(
      Math.hypot(1.5, 1.5) + 1 + 3 + Math.hypot(2.5, 0.5),
      12,
    );
    const path = u.path([0.5, 0, 0.5], [6.5, 0, 0.5]);
    expect(path).toEqual([
      [0.5, 0, 0.5],
      [6.5, 0, 0.5],
    ]);
    // From corner to corner, touching the two in line between them.
    expect(u.distance([1, 0, 4], [1, 0, 1])).toBeCloseTo(3, 12);
    expect(u.path([0, 0, 4], [7, 0, 4])).toEqual([
      [0, 0, 4],
      [7, 0, 4],
    ]);
  });

  it("do not pass through a single point, nor from island to island", () => {
    const pinched = new ExactGeodesic(gridSurface({ rows: [".#", "#."] }));
    expect(pinched.distance([0.5, 0, 0.5], [1.5, 0, 1.5])).toBe(Number.POSITIVE_INFINITY);
    expect(pinched.path([0.5, 0, 0.5], [1.5, 0, 1.5])).toEqual([]);
    const islands = new ExactGeodesic(gridSurface({ rows: ["..#.."] }));
    expect(islands.distance([0.5, 0, 0.5], [4.5, 0, 0.5])).toBe(Number.POSITIVE_INFINITY);
    expect(islands.distance([3.5, 0, 0.5], [4.5, 0, 0.5])).toBe(1);
  });
});

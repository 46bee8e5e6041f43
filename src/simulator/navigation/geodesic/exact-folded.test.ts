import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distance3, type Vec3 } from "../../../core/math/vec3.js";
import { at, gridOf, slopes, spot } from "./arbitrary.fixture.js";
import { ExactGeodesic } from "./exact.js";
import { heightAboveFloor, subdivisionDistance } from "./judges.fixture.js";
import { surfaceOf } from "./surfaces.fixture.js";

const folded = gridOf({ max: 4, height: slopes, cuts: ["rising", "falling"] });

/** Strips one after the other along x, each from one (x, y) to the next, `width` metres in z. */
function strips(profile: readonly (readonly [number, number])[], width: number) {
  return surfaceOf(
    profile.slice(1).map(([x, y], i): Vec3[] => {
      const [px, py] = profile[i] as readonly [number, number];
      return [
        [px, py, 0],
        [x, y, 0],
        [x, y, width],
        [px, py, width],
      ];
    }),
  );
}

describe("shortest ways over folds", () => {
  it("cross a roof's ridge as if both sides lay flat", () => {
    const roof = new ExactGeodesic(
      strips(
        [
          [0, 0],
          [4, 3],
          [8, 0],
        ],
        20,
      ),
    );
    // 2.5 m below the ridge on either side.
    expect(roof.distance([2, 1.5, 1], [6, 1.5, 13])).toBeCloseTo(Math.hypot(5, 12), 12);
    const path = roof.path([2, 1.5, 1], [6, 1.5, 13]);
    expect(path).toHaveLength(3);
    expect(path[1]).toEqual([4, 3, expect.closeTo(7, 12)]);
  });

  it("climb a box with upright sides", () => {
    const box = new ExactGeodesic(
      strips(
        [
          [0, 0],
          [2, 0],
          [2, 1],
          [3, 1],
          [3, 0],
          [5, 0],
        ],
        10,
      ),
    );
    expect(box.distance([1, 0, 1], [4, 0, 7])).toBeCloseTo(Math.hypot(1 + 1 + 1 + 1 + 1, 6), 12);
  });

  it("lead from storey to storey over the one ramp, around its corner", () => {
    const house = surfaceOf([
      [
        [0, 0, 0],
        [4, 0, 0],
        [4, 0, 1],
        [0, 0, 1],
      ],
      [
        [4, 0, 0],
        [8, 3, 0],
        [8, 3, 1],
        [4, 0, 1],
      ],
      [
        [8, 3, 0],
        [10, 3, 0],
        [10, 3, 1],
        [8, 3, 1],
      ],
      [
        [8, 3, 1],
        [10, 3, 1],
        [10, 3, 2],
        [8, 3, 2],
      ],
      [
        [0, 3, 1],
        [8, 3, 1],
        [8, 3, 2],
        [0, 3, 2],
      ],
      [
        [0, 3, 0.25],
        [4, 3, 0.25],
        [4, 3, 1],
        [0, 3, 1],
      ],
    ]);
    const exact = new ExactGeodesic(house);
    const up = Math.hypot(2 + 5, 0.5) + Math.hypot(6, 0.5);
    expect(exact.distance([2, 0, 0.5], [2, 3, 1.5])).toBeCloseTo(up, 12);
    // The same place in plan, one storey up.
    const above = exact.distance([2, 0, 0.5], [2, 3, 0.5]);
    expect(above).toBeGreaterThan(up - 1);
    const path = exact.path([2, 0, 0.5], [2, 3, 1.5]);
    expect(path).toContainEqual([8, 3, 1]);
    expect(path.map((p) => p[1])).toEqual([0, 0, 3, 3]);
  });

  it("go around the point of a cone on either side, and through that of a saddle", () => {
    const ring: Vec3[] = [
      [1, 0, 0],
      [1, 0, 1],
      [0, 0, 1],
      [-1, 0, 1],
      [-1, 0, 0],
      [-1, 0, -1],
      [0, 0, -1],
      [1, 0, -1],
    ];
    const around = (tip: Vec3, height: (i: number) => number) =>
      surfaceOf(
        ring.map((p, i): Vec3[] => {
          const q = ring[(i + 1) % 8] as Vec3;
          return [tip, [p[0], height(i), p[2]], [q[0], height((i + 1) % 8), q[2]]];
        }),
      );
    const cone = new ExactGeodesic(around([0, 2, 0], () => 0));
    const over = 2 * Math.hypot(0.5, 1);
    const beside = cone.distance([0.5, 1, 0], [-0.5, 1, 0]);
    expect(beside).toBeLessThan(over - 0.01);
    expect(cone.path([0.5, 1, 0], [-0.5, 1, 0]).every((p) => p[1] < 2)).toBe(true);
    const saddle = new ExactGeodesic(around([0, 0, 0], (i) => (i % 2 === 0 ? 2 : -2)));
    expect(saddle.path([0.5, 1, 0], [-0.5, 1, 0])).toEqual([
      [0.5, 1, 0],
      [0, 0, 0],
      [-0.5, 1, 0],
    ]);
  });

  it("are never longer than the best on a fine net of points, and hardly shorter", () => {
    fc.assert(
      fc.property(folded, fc.nat(1000), fc.nat(1000), (surface, s, t) => {
        const count = surface.polygons.length;
        const from = { point: at(surface, { polygon: s, u: 0.3, v: 0.4 }), triangle: s % count };
        const to = { point: at(surface, { polygon: t, u: 0.3, v: 0.4 }), triangle: t % count };
        const found = new ExactGeodesic(surface).distance(from.point, to.point);
        const net = subdivisionDistance(surface, from, to, 40);
        if (net === Number.POSITIVE_INFINITY) {
          expect(found).toBe(net);
          return;
        }
        expect(found).toBeLessThanOrEqual(net + 1e-9);
        expect(net).toBeLessThanOrEqual(found + 0.01 * Math.max(1, found));
      }),
      { numRuns: 30 },
    );
  });

  it("are a metric, no shorter than through the air, and lie on the surface", () => {
    fc.assert(
      fc.property(folded, spot, spot, spot, (surface, s, t, u) => {
        const exact = new ExactGeodesic(surface);
        const [a, b, c] = [at(surface, s), at(surface, t), at(surface, u)];
        const ab = exact.distance(a, b);
        expect(exact.distance(b, a)).toBe(ab);
        expect(ab).toBeGreaterThanOrEqual(distance3(a, b) - 1e-12);
        const detour = exact.distance(a, c) + exact.distance(c, b);
        if (detour < Number.POSITIVE_INFINITY) expect(ab).toBeLessThanOrEqual(detour + 1e-9);
        if (ab === Number.POSITIVE_INFINITY) return;
        const path = exact.path(a, b);
        let length = 0;
        for (const [i, q] of path.slice(1).entries()) {
          const p = path[i] as Vec3;
          length += distance3(p, q);
          const middle: Vec3 = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2];
          expect(heightAboveFloor(surface, middle)).toBeLessThan(1e-8);
        }
        expect(Math.abs(length - ab)).toBeLessThan(1e-9);
        expect(exact.path(b, a)).toEqual([...path].reverse());
      }),
      { numRuns: 120 },
    );
  });
});

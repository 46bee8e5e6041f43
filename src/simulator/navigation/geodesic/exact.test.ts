import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Vec3 } from "../../../core/math/vec3.js";
import type { WalkableSurface } from "../navmesh/surface.js";
import { at, gridOf, slopes, spot } from "./arbitrary.fixture.js";
import { ExactGeodesic } from "./exact.js";
import { gridSurface, joined, surfaceOf } from "./surfaces.fixture.js";

const triangles = gridOf({ max: 5, height: slopes, cuts: ["rising", "falling"] });
const anywhere = gridOf({ max: 5, height: slopes, cuts: ["none", "rising", "falling"] });

/** The same polygons, each with its own copy of its corners. */
function apart({ vertices, polygons }: WalkableSurface): WalkableSurface {
  const copies: number[] = [];
  return {
    polygons: polygons.map(({ corners, neighbours }) => ({
      corners: corners.map((corner) => {
        copies.push(...vertices.subarray(3 * corner, 3 * corner + 3));
        return copies.length / 3 - 1;
      }),
      neighbours,
    })),
    vertices: Float32Array.from(copies),
  };
}

describe("ExactGeodesic", () => {
  it("takes points off the surface to the floor below, above or beside them, within 2/4/2 m", () => {
    const room = new ExactGeodesic(gridSurface({ rows: ["...."] }));
    expect(room.distance([0.5, 3.9, 0.5], [3.5, -3.9, 0.5])).toBe(3);
    expect(room.distance([-1.9, 0, 0.5], [3.5, 0, 0.5])).toBe(3.5);
    expect(room.distance([-2.1, 0, 0.5], [3.5, 0, 0.5])).toBe(Number.POSITIVE_INFINITY);
    expect(room.distance([0.5, 4.1, 0.5], [3.5, 0, 0.5])).toBe(Number.POSITIVE_INFINITY);
    expect(room.distance([0.5, 0, 0.5], [Number.NaN, 0, 0.5])).toBe(Number.POSITIVE_INFINITY);
    expect(room.path([-1, 0.1, 0.5], [0.5, 0.2, 0.5])).toEqual([
      [0, 0, 0.5],
      [0.5, 0, 0.5],
    ]);
  });

  it("keeps a point above a slope over its place in plan", () => {
    const ramp = new ExactGeodesic(gridSurface({ rows: [".."], height: (column) => column }));
    expect(ramp.path([0.5, 0.6, 0.5], [1.5, 1.6, 0.5])).toEqual([
      [0.5, expect.closeTo(0.5, 12), 0.5],
      [1.5, expect.closeTo(1.5, 12), 0.5],
    ]);
  });

  it("knows no way on a surface without polygons", () => {
    const nothing = new ExactGeodesic({ vertices: new Float32Array(0), polygons: [] });
    expect(nothing.distance([0, 0, 0], [0, 0, 0])).toBe(Number.POSITIVE_INFINITY);
    expect(nothing.distanceToAny([0, 0, 0], [[0, 0, 0]])).toBe(Number.POSITIVE_INFINITY);
  });

  it("finds the nearest of many goals", () => {
    fc.assert(
      fc.property(anywhere, spot, fc.array(spot, { maxLength: 6 }), (surface, s, goals) => {
        const exact = new ExactGeodesic(surface);
        const from = at(surface, s);
        const points = goals.map((goal) => at(surface, goal));
        const least = Math.min(...points.map((point) => exact.distance(from, point)));
        const found = exact.distanceToAny(from, points);
        if (least === Number.POSITIVE_INFINITY) expect(found).toBe(least);
        else expect(Math.abs(found - least)).toBeLessThan(1e-9);
      }),
      { numRuns: 80 },
    );
    const room = new ExactGeodesic(gridSurface({ rows: ["....", ".##.", "...."] }));
    const goal: Vec3 = [2.2, 0, 2.7];
    expect(room.distanceToAny([1.1, 0, 0.3], [goal, [99, 0, 0]])).toBe(
      room.distance([1.1, 0, 0.3], goal),
    );
  });

  it("does not mind how vertices are numbered or polygons wound", () => {
    fc.assert(
      fc.property(triangles, spot, spot, fc.infiniteStream(fc.boolean()), (surface, s, t, coin) => {
        const [a, b] = [at(surface, s), at(surface, t)];
        const expected = new ExactGeodesic(surface).distance(a, b);
        expect(new ExactGeodesic(apart(surface)).distance(a, b)).toBe(expected);
        const turned = surface.polygons.map(({ corners }) =>
          coin.next().value ? [...corners].reverse() : corners,
        );
        const other = new ExactGeodesic({ ...surface, polygons: joined(turned) }).distance(a, b);
        if (expected < Number.POSITIVE_INFINITY) expect(other).toBeCloseTo(expected, 9);
        else expect(other).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });
});

describe("degenerate surfaces", () => {
  /** A room 4 x 2 m, of which only the polygons differ. */
  const ends: [Vec3, Vec3] = [
    [0.1, 0, 0.3],
    [3.7, 0, 1.9],
  ];
  const straight = Math.hypot(3.6, 1.6);
  const left: Vec3[] = [
    [0, 0, 0],
    [2, 0, 0],
    [2, 0, 2],
    [0, 0, 2],
  ];

  it("may have corners in line, repeated corners and edges without length", () => {
    const surface = surfaceOf([
      [
        [0, 0, 0],
        [1, 0, 0],
        [2, 0, 0],
        [2, 0, 2],
        [2, 0, 2],
        [0, 0, 2],
      ],
      [
        [2, 0, 0],
        [3, 0, 0],
        [4, 0, 0],
        [4, 0, 1],
        [4, 0, 2],
        [2, 0, 2],
      ],
    ]);
    expect(new ExactGeodesic(surface).distance(...ends)).toBeCloseTo(straight, 12);
  });

  it("may have a polygon without area between a long edge and two short ones", () => {
    const surface = surfaceOf([
      left,
      [
        [2, 0, 0],
        [2, 0, 1],
        [2, 0, 2],
      ],
      [
        [2, 0, 0],
        [4, 0, 0],
        [4, 0, 1],
        [2, 0, 1],
      ],
      [
        [2, 0, 1],
        [4, 0, 1],
        [4, 0, 2],
        [2, 0, 2],
      ],
    ]);
    const exact = new ExactGeodesic(surface);
    expect(Math.abs(exact.distance(...ends) - straight)).toBeLessThan(1e-8);
    for (const z of [0, 0.5, 1, 1.5, 2]) {
      // Straight ahead, and from the polygon without area itself.
      expect(Math.abs(exact.distance([0, 0, z], [4, 0, z]) - 4)).toBeLessThan(1e-8);
      expect(Math.abs(exact.distance([2, 0, z], [4, 0, z]) - 2)).toBeLessThan(1e-8);
      expect(Math.abs(exact.distance([2, 0, z], [2, 0, 2]) - (2 - z))).toBeLessThan(1e-8);
    }
  });

  it("may have a polygon that is a line, seen from both sides", () => {
    const vertices = Float32Array.from([...left.flat(), 4, 0, 0, 4, 0, 2]);
    const surface: WalkableSurface = {
      vertices,
      polygons: [
        { corners: [0, 1, 2, 3], neighbours: [-1, 1, -1, -1] },
        { corners: [1, 2, 2], neighbours: [0, -1, 2] },
        { corners: [1, 4, 5, 2], neighbours: [-1, -1, -1, 1] },
      ],
    };
    expect(new ExactGeodesic(surface).distance(...ends)).toBeCloseTo(straight, 12);
  });

  it("may consist of slivers, in whatever directions", () => {
    const cut = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cut, cut, cut), { minLength: 1, maxLength: 12 }),
        cut,
        cut,
        (cuts, u, v) => {
          // Bundles of lines from z = 0 to z = 2, micrometres apart.
          const lines = cuts.flatMap(([x, w, thin]) => {
            const gap = 1e-6 + 1e-4 * thin;
            return [
              [0.01 + 3.98 * x, 0.01 + 3.98 * w],
              [0.01 + 3.98 * x + gap, 0.01 + 3.98 * w],
            ];
          });
          const low = [0, ...lines.map(([x]) => x ?? 0), 4].map(Math.fround).sort((p, q) => p - q);
          const high = [0, ...lines.map(([, x]) => x ?? 0), 4]
            .map(Math.fround)
            .sort((p, q) => p - q);
          const surface = surfaceOf(
            low.slice(1).map((x, i): Vec3[] => [
              [low[i] ?? 0, 0, 0],
              [x, 0, 0],
              [high[i + 1] ?? 0, 0, 2],
              [high[i] ?? 0, 0, 2],
            ]),
          );
          const exact = new ExactGeodesic(surface);
          const a: Vec3 = [4 * u, 0, 0.1];
          const b: Vec3 = [4 * v, 0, 1.7];
          expect(Math.abs(exact.distance(a, b) - Math.hypot(4 * (u - v), 1.6))).toBeLessThan(1e-9);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("is refused where indices or coordinates make no sense", () => {
    const vertices = Float32Array.from(left.flat());
    const make =
      (corners: number[], neighbours: number[], points = vertices) =>
      () =>
        new ExactGeodesic({ vertices: points, polygons: [{ corners, neighbours }] });
    expect(make([0, 1, 9], [-1, -1, -1])).toThrow(/names a corner outside the 4 vertices/);
    expect(make([0, 1, 2], [-1, 7, -1])).toThrow(/names a neighbour outside the 1 polygons/);
    expect(make([0, 1], [-1, -1])).toThrow(/has 2 corners/);
    expect(make([0, 1, 2], [-1])).toThrow(/3 corners but 1 neighbours/);
    expect(
      make(
        [0, 1, 2],
        [-1, -1, -1],
        vertices.map(() => Number.NaN),
      ),
    ).toThrow(/not finite/);
  });
});

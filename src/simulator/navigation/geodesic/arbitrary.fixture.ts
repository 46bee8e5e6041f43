import fc from "fast-check";
import type { Vec3 } from "../../../core/math/vec3.js";
import type { WalkableSurface } from "../navmesh/surface.js";
import { gridSurface, pointIn } from "./surfaces.fixture.js";

/** A place on a surface of unknown size: some polygon, and weights in its first triangle. */
export interface Spot {
  readonly polygon: number;
  readonly u: number;
  readonly v: number;
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Anywhere, corners and the middles of edges among it. */
export const spot: fc.Arbitrary<Spot> = fc.record({
  polygon: fc.nat(10_000),
  u: fc.oneof(share, fc.constantFrom(0, 0.5, 1)),
  v: fc.oneof(share, fc.constantFrom(0, 0.5, 1)),
});

export function at(surface: WalkableSurface, { polygon, u, v }: Spot): Vec3 {
  return pointIn(surface, polygon, u, v);
}

interface GridOptions {
  /** Cells along each side. */
  readonly max: number;
  readonly height: fc.Arbitrary<(column: number, row: number) => number>;
  readonly cuts: readonly ("none" | "rising" | "falling")[];
}

/** Floor plans with holes, pillars and islands, on straight or crooked grids. */
export function gridOf({ max, height, cuts }: GridOptions): fc.Arbitrary<WalkableSurface> {
  const cells = fc
    .tuple(fc.integer({ min: 2, max }), fc.integer({ min: 2, max }), fc.integer({ min: 1, max: 9 }))
    .chain(([columns, rows, floor]) =>
      fc.array(
        fc.array(
          fc.nat(9).map((x) => x <= floor),
          { minLength: columns, maxLength: columns },
        ),
        { minLength: rows, maxLength: rows },
      ),
    );
  const noise = fc.infiniteStream(fc.integer({ min: -1000, max: 1000 }));
  return fc
    .record({
      cells,
      height,
      crooked: fc.boolean(),
      noise,
      cut: fc.infiniteStream(fc.constantFrom(...cuts)),
    })
    .map(({ cells, height, crooked, noise, cut }) => {
      const floor = withoutPinches(cells);
      const shifts = floor.map((row) =>
        [...row, true].map(() => [noise.next().value, noise.next().value]),
      );
      shifts.push((shifts[0] ?? []).map(() => [noise.next().value, noise.next().value]));
      const ways = floor.map((row) => row.map(() => cut.next().value));
      return gridSurface({
        rows: floor.map((row) => row.map((isFloor) => (isFloor ? "." : "#")).join("")),
        height,
        // Up to a fifth of a cell: cells stay convex.
        shift: (column, row) => {
          const [x, z] = shifts[row]?.[column] ?? [];
          return crooked ? [Math.fround((x ?? 0) / 5000), Math.fround((z ?? 0) / 5000)] : [0, 0];
        },
        cut: (column, row) => ways[row]?.[column] ?? "none",
      });
    })
    .filter((surface) => surface.polygons.length > 0);
}

/** Floors that meet in a point only are joined, since what counts as a way there is a matter of taste. */
function withoutPinches(cells: readonly (readonly boolean[])[]): boolean[][] {
  const floor = cells.map((row) => [...row]);
  for (let again = true; again; ) {
    again = false;
    for (const [r, row] of floor.entries()) {
      const below = floor[r + 1];
      if (!below) break;
      for (let c = 0; c + 1 < row.length; c++) {
        if (row[c] !== below[c + 1] || row[c + 1] !== below[c] || row[c] === row[c + 1]) continue;
        row.fill(true, c, c + 2);
        below.fill(true, c, c + 2);
        again = true;
      }
    }
  }
  return floor;
}

const metres = fc.integer({ min: 0, max: 15 }).map((x) => x / 10);

/** Ramps, roofs, stairs as ramps with landings, and rubble. */
export const slopes: fc.Arbitrary<(column: number, row: number) => number> = fc.oneof(
  fc.tuple(metres, metres).map(
    ([a, b]) =>
      (column: number, row: number) =>
        a * column + b * row,
  ),
  fc.tuple(metres, fc.integer({ min: 1, max: 3 })).map(
    ([a, ridge]) =>
      (column: number) =>
        a * Math.abs(column - ridge),
  ),
  metres.map((a) => (_column: number, row: number) => a * Math.ceil(row / 2)),
  fc
    .array(metres, { minLength: 64, maxLength: 64 })
    .map((list) => (column: number, row: number) => list[8 * row + column] ?? 0),
);

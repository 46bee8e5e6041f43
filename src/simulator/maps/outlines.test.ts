import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outlines } from "./outlines.js";
import { planPolygons, signedArea } from "./plan.js";
import { rectangle, surfaceOf, TWO_ROOMS_POLYGONS } from "./two-rooms.fixture.js";

const outlineOf = (polygons: Parameters<typeof surfaceOf>[0]) =>
  outlines(planPolygons(surfaceOf(polygons)));

describe("the outline of a surface", () => {
  it("polygons that share edges have one outline", () => {
    const [ring, ...others] = outlineOf([rectangle([0, 0, 1, 1]), rectangle([1, 0, 2, 1])]);
    expect(others).toEqual([]);
    expect(signedArea(ring ?? [])).toBeCloseTo(2, 9);
  });

  it("a hole has a ring in the opposite direction, also where long edges meet short ones", () => {
    const rings = outlineOf(TWO_ROOMS_POLYGONS);
    const areas = rings.map(signedArea).sort((a, b) => a - b);
    expect(areas).toHaveLength(2);
    expect(areas[0]).toBeCloseTo(-1.4 * 1.4, 5);
    expect(areas[1]).toBeCloseTo(4.6 * 3.6 + 0.5 * 0.5 + 3.6 * 3.6, 5);
  });

  it("outlines do not depend on the winding of the polygons", () => {
    const turned = TWO_ROOMS_POLYGONS.map((corners, i) =>
      i % 2 === 0 ? corners.toReversed() : corners,
    );
    const area = (rings: ReturnType<typeof outlines>) =>
      rings.reduce((sum, ring) => sum + signedArea(ring), 0);
    expect(area(outlineOf(turned))).toBeCloseTo(area(outlineOf(TWO_ROOMS_POLYGONS)), 5);
  });

  it("outlines enclose exactly the area of the polygons for any tiling of a floor", () => {
    const tiles = fc.uniqueArray(fc.tuple(fc.nat(5), fc.nat(5)), {
      selector: ([x, z]) => `${x} ${z}`,
    });
    fc.assert(
      fc.property(tiles, (cells) => {
        const rings = outlineOf(cells.map(([x, z]) => rectangle([x, z, x + 1, z + 1])));
        const area = rings.reduce((sum, ring) => sum + signedArea(ring), 0);
        expect(area).toBeCloseTo(cells.length, 6);
      }),
    );
  });

  it("outlines omit damaged and vertical polygons", () => {
    const upright = [
      [0, 0, 0],
      [1, 0, 0],
      [1, 2, 0],
    ] as const;
    const damaged = [
      [0, 0, 0],
      [1, 0, 0],
      [Number.NaN, 0, 1],
    ] as const;
    expect(outlineOf([upright, damaged])).toEqual([]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { triangleCount } from "../../../test/support/triangle-count.js";
import { boundsOf, solidGeometry } from "./geometry.js";
import {
  compose,
  IDENTITY,
  isIdentity,
  mirrors,
  multiply,
  transformInto,
} from "./gltf/transform.js";
import type { ScenePart } from "./model.js";

const TRIANGLE = {
  positions: Float32Array.of(0, 0, 0, 0, 0, 1, 1, 0, 0),
  indices: Uint32Array.of(0, 1, 2),
};

function part(fields: Partial<ScenePart> = {}): ScenePart {
  return { mesh: TRIANGLE, material: { name: "m", color: [1, 1, 1, 1] }, instance: 0, ...fields };
}

/** y of a triangle's normal: positive if it faces up. */
function facing(
  { positions, indices }: { positions: Float32Array; indices: Uint32Array },
  t: number,
) {
  const at = (i: number, axis: number) => positions[(indices[t * 3 + i] ?? 0) * 3 + axis] ?? 0;
  const [abx, abz] = [at(1, 0) - at(0, 0), at(1, 2) - at(0, 2)];
  const [acx, acz] = [at(2, 0) - at(0, 0), at(2, 2) - at(0, 2)];
  return abz * acx - abx * acz;
}

describe("solidGeometry", () => {
  it("solidGeometry contains all parts in world coordinates with consecutive indices", () => {
    const geometry = solidGeometry({
      parts: [part(), part({ transform: compose([10, 2, 0]) })],
    });
    expect([...geometry.indices]).toEqual([0, 1, 2, 3, 4, 5]);
    expect([...geometry.positions.slice(9)]).toEqual([10, 2, 0, 10, 2, 1, 11, 2, 0]);
  });

  it("solidGeometry omits parts that are not solid", () => {
    const parts = [part({ solid: false }), part({ solid: true }), part()];
    expect(solidGeometry({ parts }).indices).toHaveLength(6);
    expect(triangleCount(parts)).toBe(3);
  });

  it("solidGeometry keeps the facing of triangles, also under mirroring transforms", () => {
    const mirror = compose([0, 0, 0], [0, 0, 0, 1], [-1, 1, 1]);
    const geometry = solidGeometry({ parts: [part(), part({ transform: mirror })] });
    expect(facing(geometry, 0)).toBeGreaterThan(0);
    expect(facing(geometry, 1)).toBeGreaterThan(0);
  });

  it("boundsOf returns world coordinates, and the origin for an empty scene", () => {
    expect(boundsOf([part({ transform: compose([1, 2, 3], [], [2, 2, 2]) })])).toEqual({
      min: [1, 2, 3],
      max: [3, 2, 5],
    });
    expect(boundsOf([])).toEqual({ min: [0, 0, 0], max: [0, 0, 0] });
  });
});

const transform = fc
  .tuple(
    fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 3, maxLength: 3 }),
    fc.double({ min: 0, max: 6.28, noNaN: true }),
    fc.array(fc.double({ min: 0.1, max: 3, noNaN: true }), { minLength: 3, maxLength: 3 }),
  )
  .map(([move, angle, scale]) =>
    compose(move, [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)], scale),
  );

describe("transforms", () => {
  it("applying a product of transforms equals applying one after the other", () => {
    fc.assert(
      fc.property(transform, transform, (a, b) => {
        const points = Float32Array.of(1, 2, 3, -1, 0.5, 4);
        const [twice, once] = [new Float32Array(6), new Float32Array(6)];
        transformInto(twice, 0, points, b);
        transformInto(twice, 0, twice.slice(), a);
        transformInto(once, 0, points, multiply(a, b));
        for (const [i, value] of once.entries()) expect(value).toBeCloseTo(twice[i] ?? 0, 3);
      }),
    );
  });

  it("a transform is mirroring if an odd number of axes change sign", () => {
    expect(mirrors(compose([], [], [-1, 1, 1]))).toBe(true);
    expect(mirrors(compose([], [], [-1, -1, 1]))).toBe(false);
    expect(mirrors(IDENTITY)).toBe(false);
    expect(isIdentity(compose())).toBe(true);
    expect(isIdentity(compose([0, 0, 1]))).toBe(false);
  });
});

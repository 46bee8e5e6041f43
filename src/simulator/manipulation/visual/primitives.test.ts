import { describe, expect, it } from "vitest";
import type { TriangleMesh } from "../../scenes/model.js";
import { FAR_M, primitive } from "./primitives.js";

const ONCE = { u: 1, v: 1, uniform: false };

function meshOf(type: string, size: readonly [number, number, number], repeat = ONCE) {
  const mesh = primitive(type, size, repeat);
  if (!mesh) throw new Error(`${type} is not drawn`);
  return mesh;
}

function corners({ positions, indices }: TriangleMesh, triangle: number): number[][] {
  return [0, 1, 2].map((k) => {
    const at = (indices[triangle * 3 + k] as number) * 3;
    return [...positions.subarray(at, at + 3)];
  });
}

const cross = (a: number[], b: number[]) =>
  [0, 1, 2].map((k) => {
    const [p, q] = [(k + 1) % 3, (k + 2) % 3];
    return (a[p] ?? 0) * (b[q] ?? 0) - (a[q] ?? 0) * (b[p] ?? 0);
  });
const dot = (a: number[], b: number[]) => a.reduce((sum, x, k) => sum + x * (b[k] ?? 0), 0);
const minus = (a: number[], b: number[]) => a.map((x, k) => x - (b[k] ?? 0));

/** Volume of a closed surface whose triangles face outwards. */
function volume(mesh: TriangleMesh): number {
  let sum = 0;
  for (let t = 0; t < mesh.indices.length / 3; t++) {
    const [a = [], b = [], c = []] = corners(mesh, t);
    sum += dot(a, cross(b, c)) / 6;
  }
  return sum;
}

describe("primitive", () => {
  it.each([
    ["box", [0.1, 0.2, 0.3], 8 * 0.1 * 0.2 * 0.3],
    ["sphere", [0.2, 0, 0], (4 / 3) * Math.PI * 0.2 ** 3],
    ["ellipsoid", [0.1, 0.2, 0.3], (4 / 3) * Math.PI * 0.1 * 0.2 * 0.3],
    ["cylinder", [0.2, 0.5, 0], Math.PI * 0.2 ** 2],
    ["capsule", [0.2, 0.5, 0], Math.PI * 0.2 ** 2 + (4 / 3) * Math.PI * 0.2 ** 3],
  ] as const)(
    "primitive makes a closed %s that faces outwards, with its volume to 5 %%",
    (type, size, expected) => {
      const ratio = volume(meshOf(type, size)) / expected;
      expect(ratio).toBeGreaterThan(0.95);
      expect(ratio).toBeLessThanOrEqual(1 + 1e-6);
    },
  );

  it.each([
    ["plane", [1, 2, 0.1]],
    ["box", [0.1, 0.2, 0.3]],
    ["sphere", [0.2, 0, 0]],
    ["ellipsoid", [0.1, 0.2, 0.3]],
    ["cylinder", [0.2, 0.5, 0]],
    ["capsule", [0.2, 0.5, 0]],
  ] as const)(
    "primitive gives a %s unit normals on the front side of its triangles",
    (type, size) => {
      const mesh = meshOf(type, size);
      const { normals, indices } = mesh;
      if (!normals) throw new Error("no normals");
      for (let t = 0; t < indices.length / 3; t++) {
        const [a = [], b = [], c = []] = corners(mesh, t);
        const face = cross(minus(b, a), minus(c, a));
        for (let k = 0; k < 3; k++) {
          const at = (indices[t * 3 + k] as number) * 3;
          const normal = [...normals.subarray(at, at + 3)];
          expect(Math.hypot(...normal)).toBeCloseTo(1, 5);
          expect(dot(normal, face)).toBeGreaterThan(0);
        }
      }
    },
  );

  it("primitive makes shapes exactly as large as their sizes", () => {
    const most = (mesh: TriangleMesh, axis: number) =>
      Math.max(...mesh.positions.filter((_, i) => i % 3 === axis));
    expect(most(meshOf("capsule", [0.25, 0.5, 0]), 2)).toBeCloseTo(0.75, 6);
    expect(most(meshOf("ellipsoid", [0.25, 0.5, 0.75]), 1)).toBeCloseTo(0.5, 6);
    expect(most(meshOf("cylinder", [0.25, 0.5, 0]), 0)).toBeCloseTo(0.25, 6);
  });

  it("primitive draws an infinite plane with a finite size", () => {
    expect(Math.max(...meshOf("plane", [0, 0, 1]).positions)).toBe(FAR_M);
    expect(Math.max(...meshOf("plane", [3, 2, 1]).positions)).toBe(3);
  });

  it("primitive repeats a texture per geom, or per metre", () => {
    const most = (mesh: TriangleMesh) => Math.max(...(mesh.uvs ?? []));
    const repeat = { u: 4, v: 4 };
    expect(most(meshOf("plane", [3, 3, 1], { ...repeat, uniform: false }))).toBe(4);
    expect(most(meshOf("plane", [3, 3, 1], { ...repeat, uniform: true }))).toBe(24);
    expect(most(meshOf("box", [1, 1, 1], { ...repeat, uniform: true }))).toBe(8);
  });

  it("primitive returns undefined for types without triangles", () => {
    expect(primitive("unknown", [1, 1, 1], ONCE)).toBeUndefined();
    expect(primitive("hfield", [1, 1, 1], ONCE)).toBeUndefined();
  });
});

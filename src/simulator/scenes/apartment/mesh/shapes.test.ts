import { describe, expect, it } from "vitest";
import { MeshBuilder, type Surface } from "./builder.js";
import { bar, cylinder, lathe } from "./round.js";
import { box, softBox } from "./shapes.js";

const surface: Surface = { material: { name: "test", color: [1, 1, 1, 1] }, repeatM: [1, 1] };

/** Volume by the divergence theorem: correct, and positive, only if all triangles face outwards. */
function volume(draw: (b: MeshBuilder) => void, turnRad = 0): number {
  const b = new MeshBuilder({ at: [3, 1, -2], turnRad });
  draw(b);
  const mesh = b.parts(0)[0]?.mesh;
  if (!mesh) return 0;
  let sum = 0;
  for (let t = 0; t < mesh.indices.length; t += 3) {
    const [a, c, d] = [0, 1, 2].map((k) => {
      const i = 3 * (mesh.indices[t + k] ?? 0);
      return [...mesh.positions.slice(i, i + 3)];
    });
    const [ax = 0, ay = 0, az = 0] = a ?? [];
    const [bx = 0, by = 0, bz = 0] = c ?? [];
    const [cx = 0, cy = 0, cz = 0] = d ?? [];
    sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return sum / 6;
}

/** Lowest agreement between the normal of a triangle and those of its vertices. */
function agreement(draw: (b: MeshBuilder) => void): number {
  const b = new MeshBuilder({ at: [0, 0, 0], turnRad: 0.7 });
  draw(b);
  const mesh = b.parts(0)[0]?.mesh;
  let worst = 1;
  if (!mesh?.normals) return -1;
  for (let t = 0; t < mesh.indices.length; t += 3) {
    const i = [0, 1, 2].map((k) => 3 * (mesh.indices[t + k] ?? 0));
    const at = (k: number, c: number) => mesh.positions[(i[k] ?? 0) + c] ?? 0;
    const u = [0, 1, 2].map((c) => at(1, c) - at(0, c));
    const v = [0, 1, 2].map((c) => at(2, c) - at(0, c));
    const [u0 = 0, u1 = 0, u2 = 0] = u;
    const [v0 = 0, v1 = 0, v2 = 0] = v;
    const n = [u1 * v2 - u2 * v1, u2 * v0 - u0 * v2, u0 * v1 - u1 * v0];
    const size = Math.hypot(...n);
    if (size < 1e-9) continue;
    for (const k of i) {
      const dot = [0, 1, 2].reduce((s, c) => s + (n[c] ?? 0) * (mesh.normals?.[k + c] ?? 0), 0);
      worst = Math.min(worst, dot / size);
    }
  }
  return worst;
}

describe("shapes", () => {
  it("boxes, soft boxes, cylinders and bars are closed and face outwards", () => {
    expect(volume((b) => box(b, surface, [0, 0.5, 0], [2, 1.5, 3]))).toBeCloseTo(6, 4);
    expect(volume((b) => box(b, surface, [0, 0.5, 0], [2, 1.5, 3]), 1.1)).toBeCloseTo(6, 4);
    const soft = volume((b) => softBox(b, surface, [0, 0, 0], [2, 1, 3], 0.05));
    expect(soft).toBeGreaterThan(5.9);
    expect(soft).toBeLessThan(6);
    const round = volume((b) => cylinder(b, surface, [1, 1], 1, 0.5, 1.5, 64));
    expect(round).toBeCloseTo(Math.PI, 1);
    expect(volume((b) => bar(b, surface, [0, 0, 0], [0, 0, 2], 0.1))).toBeGreaterThan(0);
  });

  it("vertex normals point to the front side of their triangles", () => {
    expect(agreement((b) => box(b, surface, [0, 0.5, 0], [2, 1.5, 3]))).toBeGreaterThan(0.99);
    expect(agreement((b) => softBox(b, surface, [0, 0, 0], [2, 1, 3], 0.1))).toBeGreaterThan(0.5);
    expect(agreement((b) => bar(b, surface, [0, 0, 0], [1, 1, 2], 0.1))).toBeGreaterThan(0.99);
    const pot = (b: MeshBuilder) =>
      lathe(b, surface, {}, [
        [0, 0.1],
        [0.2, 0.1],
        [0.3, 0.5],
        [0.25, 0.5],
        [0.25, 0.4],
        [0, 0.4],
      ]);
    expect(agreement(pot)).toBeGreaterThan(0.7);
  });
});

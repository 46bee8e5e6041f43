import { expect, it } from "vitest";
import { pointBounds } from "../geometry.js";
import { linkMesh } from "./link-shape.js";

it.each([
  ["box", [1, 2, 3], [1, 2, 3], 48],
  ["cylinder", [1, 2, 0], [1, 1, 2], 12.4],
  ["sphere", [1, 0, 0], [1, 1, 1], 4.1],
  ["capsule", [1, 2, 0], [1, 1, 3], 16.6],
] as const)("the mesh of a %s is closed and faces outwards", (kind, size, half, volume) => {
  const { positions, indices } = linkMesh({ kind, size });
  const { max } = pointBounds([positions]);
  for (const [i, value] of half.entries()) expect(max[i]).toBeCloseTo(value, 1);
  // The sum of signed tetrahedra is the volume only if every triangle faces outwards.
  let sum = 0;
  const edges = new Map<string, number>();
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [0, 1, 2].map((k) => (indices[i + k] ?? 0) * 3);
    const [a, b, c] = corners.map((at) => [...positions.slice(at, at + 3)]);
    const [[ax = 0, ay = 0, az = 0] = [], [bx = 0, by = 0, bz = 0] = []] = [a, b];
    const [cx = 0, cy = 0, cz = 0] = c ?? [];
    sum += ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx);
    corners.forEach((from, k) => {
      const to = corners[(k + 1) % 3] ?? 0;
      const [key, sign] = from < to ? [`${from} ${to}`, 1] : [`${to} ${from}`, -1];
      edges.set(key, (edges.get(key) ?? 0) + sign);
    });
  }
  expect(sum / 6).toBeCloseTo(volume, 0);
  expect([...edges.values()].every((n) => n === 0)).toBe(true);
});

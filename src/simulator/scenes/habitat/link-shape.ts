import type { TriangleMesh } from "../model.js";

/** A primitive of URDF: half sizes, or radius and half length along z. */
export interface LinkShape {
  readonly kind: "box" | "sphere" | "cylinder" | "capsule";
  readonly size: readonly [number, number, number];
}

const SEGMENTS = 24;
const ARC_STEPS = 6;

/** The triangles of a primitive, flat-shaded. */
export function linkMesh({ kind, size: [a, b, c] }: LinkShape): TriangleMesh {
  if (kind === "box") return box(a, b, c);
  if (kind === "cylinder") return revolved([-b, b].map((z) => [a, z]));
  const half = kind === "capsule" ? b : 0;
  const arcs = [-1, 1].flatMap((end) =>
    Array.from({ length: ARC_STEPS }, (_, i): [number, number] => {
      const step = end < 0 ? i + 0.5 - ARC_STEPS : i + 0.5;
      const angle = (step / ARC_STEPS) * (Math.PI / 2);
      return [a * Math.cos(angle), end * half + a * Math.sin(angle)];
    }),
  );
  return revolved(arcs, half + a);
}

/** Rings from the bottom up around z, closed at both ends, at ±`tip` or at the height of the last ring. */
function revolved(rings: readonly (readonly number[])[], tip?: number): TriangleMesh {
  const top = tip ?? rings.at(-1)?.[1] ?? 0;
  const positions = [0, 0, 0 - top, 0, 0, top];
  const indices: number[] = [];
  const at = (ring: number, s: number) => 2 + ring * SEGMENTS + (s % SEGMENTS);
  for (const [radius = 0, z = 0] of rings) {
    for (let s = 0; s < SEGMENTS; s++) {
      const angle = (2 * Math.PI * s) / SEGMENTS;
      positions.push(radius * Math.cos(angle), radius * Math.sin(angle), z);
    }
  }
  for (let s = 0; s < SEGMENTS; s++) {
    for (let ring = 0; ring + 1 < rings.length; ring++) {
      const [low, right] = [at(ring, s), at(ring, s + 1)];
      const [high, across] = [at(ring + 1, s), at(ring + 1, s + 1)];
      indices.push(low, right, across, low, across, high);
    }
    indices.push(
      0,
      at(0, s + 1),
      at(0, s),
      1,
      at(rings.length - 1, s),
      at(rings.length - 1, s + 1),
    );
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

function box(x: number, y: number, z: number): TriangleMesh {
  // Vertex i has the signs of its bits: 1 for x, 2 for y, 4 for z.
  const positions = Array.from({ length: 8 }, (_, i) => [
    i & 1 ? x : 0 - x,
    i & 2 ? y : 0 - y,
    i & 4 ? z : 0 - z,
  ]);
  const sides = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return {
    positions: Float32Array.from(positions.flat()),
    indices: Uint32Array.from(sides.flatMap(([a = 0, b = 0, c = 0, d = 0]) => [a, b, c, a, c, d])),
  };
}

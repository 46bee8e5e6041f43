import type { Vec3 } from "../../../../core/math/vec3.js";
import { cross } from "../../../../core/math/vec3.js";
import type { MeshBuilder, Surface } from "./builder.js";

interface LatheOptions {
  readonly segments?: number;
  /** Scale along x and z, for ovals. */
  readonly scale?: readonly [x: number, z: number];
  readonly at?: readonly [x: number, z: number];
}

/**
 * Rotates a profile of (radius, height) points about the vertical axis. A profile listed from the bottom up
 * along the outside faces outwards. Edges sharper than about 50 degrees are not smoothed.
 */
export function lathe(
  b: MeshBuilder,
  surface: Surface,
  { segments = 12, scale: [sx, sz] = [1, 1], at: [cx, cz] = [0, 0] }: LatheOptions,
  profile: readonly (readonly [r: number, y: number])[],
): void {
  const [ru, rv] = surface.repeatM;
  const slopes = profile.slice(1).map((to, i) => {
    const from = profile[i] ?? to;
    const [dr, dy] = [to[0] - from[0], to[1] - from[1]];
    const size = Math.sqrt(dr * dr + dy * dy) || 1;
    return [dy / size, (0 - dr) / size] as const;
  });
  for (const [i, slope] of slopes.entries()) {
    const ends = [profile[i], profile[i + 1]];
    const ring: number[] = [];
    for (const [e, end] of ends.entries()) {
      if (!end) continue;
      const beside = slopes[e === 0 ? i - 1 : i + 1];
      const smooth = beside && beside[0] * slope[0] + beside[1] * slope[1] > 0.64;
      const n = smooth ? [beside[0] + slope[0], beside[1] + slope[1]] : slope;
      for (let s = 0; s <= segments; s++) {
        const angle = (2 * Math.PI * s) / segments;
        const c = Math.cos(angle);
        const d = Math.sin(angle);
        const normal: Vec3 = unit([(n[0] ?? 0) * c * sz, n[1] ?? 0, (n[0] ?? 0) * d * sx]);
        const p: Vec3 = [cx + end[0] * c * sx, end[1], cz + end[0] * d * sz];
        ring.push(b.vertex(surface, p, normal, (angle * end[0]) / ru, (0 - end[1]) / rv));
      }
    }
    for (let s = 0; s < segments; s++) {
      const i0 = ring[s] ?? 0;
      const i1 = ring[s + 1] ?? 0;
      const j0 = ring[segments + 1 + s] ?? 0;
      const j1 = ring[segments + 2 + s] ?? 0;
      if ((ends[0]?.[0] ?? 0) > 1e-6) b.triangle(surface, i0, j1, i1);
      if ((ends[1]?.[0] ?? 0) > 1e-6) b.triangle(surface, i0, j0, j1);
    }
  }
}

export function cylinder(
  b: MeshBuilder,
  surface: Surface,
  at: readonly [x: number, z: number],
  radius: number,
  y0: number,
  y1: number,
  segments = 10,
): void {
  const foot: readonly (readonly [number, number])[] = y0 > 0.011 ? [[0, y0]] : [];
  lathe(b, surface, { at, segments }, [...foot, [radius, y0], [radius, y1], [0, y1]]);
}

/** A cone between two rings, or a flat ring if both have the same height. */
export function cone(
  b: MeshBuilder,
  surface: Surface,
  from: readonly [r: number, y: number],
  to: readonly [r: number, y: number],
  options: LatheOptions = {},
): void {
  lathe(b, surface, options, [from, to]);
}

/** A straight bar of square section between two points: slanted legs, branches, rails. */
export function bar(b: MeshBuilder, surface: Surface, from: Vec3, to: Vec3, thick: number): void {
  const along = unit([to[0] - from[0], to[1] - from[1], to[2] - from[2]]);
  const aside: Vec3 = Math.abs(along[1]) > 0.9 ? [1, 0, 0] : [0, 1, 0];
  const p = unit(cross(aside, along));
  const q = cross(along, p);
  const h = thick / 2;
  for (const [s, t] of [
    [p, q],
    [q, neg(p)],
    [neg(p), neg(q)],
    [neg(q), p],
  ] as const) {
    const corner = (end: Vec3, k: number): Vec3 => [
      end[0] + h * (s[0] + k * t[0]),
      end[1] + h * (s[1] + k * t[1]),
      end[2] + h * (s[2] + k * t[2]),
    ];
    const i = [corner(from, -1), corner(from, 1), corner(to, 1), corner(to, -1)].map((c, n) =>
      b.vertex(surface, c, s, n === 1 || n === 2 ? 1 : 0, n > 1 ? 1 : 0),
    );
    const [i0 = 0, i1 = 0, i2 = 0, i3 = 0] = i;
    b.triangle(surface, i0, i1, i2);
    b.triangle(surface, i0, i2, i3);
  }
}

/** Evenly spaced bars around the vertical axis, each from one ring to another: tripods, star bases. */
export function barsAround(
  b: MeshBuilder,
  surface: Surface,
  count: number,
  from: readonly [r: number, y: number],
  to: readonly [r: number, y: number],
  thick: number,
): void {
  for (let i = 0; i < count; i++) {
    const a = (2 * Math.PI * i) / count;
    const on = ([r, y]: readonly [number, number]): Vec3 => [r * Math.sin(a), y, r * Math.cos(a)];
    bar(b, surface, on(from), on(to), thick);
  }
}

function unit(v: Vec3): Vec3 {
  const size = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) || 1;
  return [v[0] / size, v[1] / size, v[2] / size];
}

function neg(v: Vec3): Vec3 {
  return [0 - v[0], 0 - v[1], 0 - v[2]];
}

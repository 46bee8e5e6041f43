import type { Vec3 } from "../../../core/math/vec3.js";

export function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** The point that lies the share s of the way from a to b. */
export function between(a: Vec3, b: Vec3, s: number): Vec3 {
  return [a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2])];
}

export function scaled(a: Vec3, by: number): Vec3 {
  return [a[0] * by, a[1] * by, a[2] * by];
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** The point of the segment from a to b that is nearest to p. */
export function nearestOnSegment(p: Vec3, a: Vec3, b: Vec3): Vec3 {
  const d = minus(b, a);
  const square = dot(d, d);
  const s = square > 0 ? Math.min(1, Math.max(0, dot(minus(p, a), d) / square)) : 0;
  // Rounding must not move a corner.
  return s === 1 ? b : between(a, b, s);
}

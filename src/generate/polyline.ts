import type { Vec3 } from "../core/math/vec3.js";
import { distance3 } from "../core/math/vec3.js";

/** A path as points joined by straight lines. */
export type Polyline = readonly Vec3[];

export function lengthOf(line: Polyline): number {
  let sum = 0;
  for (let i = 1; i < line.length; i++) sum += distance3(line[i - 1] as Vec3, line[i] as Vec3);
  return sum;
}

/** The point at a distance along the line in metres, clamped to its ends. */
export function pointAt(line: Polyline, metres: number): Vec3 {
  let left = metres;
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1] as Vec3, line[i] as Vec3];
    const length = distance3(a, b);
    if (left <= length && length > 0) return between(a, b, Math.max(0, left / length));
    left -= length;
  }
  return line.at(-1) ?? [0, 0, 0];
}

/** Inserts points so that they are at most `stepM` apart; keeps the line's own. */
export function densified(line: Polyline, stepM: number): Vec3[] {
  const out: Vec3[] = line.slice(0, 1);
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1] as Vec3, line[i] as Vec3];
    const pieces = Math.max(1, Math.ceil(distance3(a, b) / stepM - 1e-9));
    for (let k = 1; k < pieces; k++) out.push(between(a, b, k / pieces));
    out.push(b);
  }
  return out;
}

/** Removes points that are within `toleranceM` of the remaining line (Douglas-Peucker). */
export function simplified(line: Polyline, toleranceM: number): Vec3[] {
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last || line.length < 3) return [...line];
  let worst = 0;
  let at = 0;
  for (let i = 1; i < line.length - 1; i++) {
    const off = distanceToSegment(line[i] as Vec3, first, last);
    if (off > worst) {
      worst = off;
      at = i;
    }
  }
  if (worst <= toleranceM) return [first, last];
  const head = simplified(line.slice(0, at + 1), toleranceM);
  return [...head.slice(0, -1), ...simplified(line.slice(at), toleranceM)];
}

export function distanceToSegment(p: Vec3, a: Vec3, b: Vec3): number {
  const along = [b[0] - a[0], b[1] - a[1], b[2] - a[2]] as const;
  const squared = along[0] ** 2 + along[1] ** 2 + along[2] ** 2;
  const dot = (p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1] + (p[2] - a[2]) * along[2];
  const t = squared > 0 ? Math.min(1, Math.max(0, dot / squared)) : 0;
  return distance3(p, between(a, b, t));
}

function between(a: Vec3, b: Vec3, t: number): Vec3 {
  return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];
}

import type { Side } from "../plan/outline.js";
import type { Rect } from "../plan/types.js";

/**
 * Darkening near corners and under furniture, a cheap approximation of ambient occlusion. It falls off
 * exponentially with the distance from the occluder. Lengths in metres.
 */
export function occlusion(distance: number, depth: number, reach: number): number {
  return 1 - depth * Math.exp((0 - Math.max(0, distance)) / reach);
}

export function distanceToSide(side: Side, x: number, z: number): number {
  const dx = x - side.a[0];
  const dz = z - side.a[1];
  const s = dx * side.along[0] + dz * side.along[1];
  const off = Math.max(0, 0 - s, s - side.length);
  const away = dx * side.normal[0] + dz * side.normal[1];
  return Math.sqrt(off * off + away * away);
}

function distanceToRect(rect: Rect, x: number, z: number): number {
  const dx = Math.max(rect.x0 - x, 0, x - rect.x1);
  const dz = Math.max(rect.z0 - z, 0, z - rect.z1);
  return Math.sqrt(dx * dx + dz * dz);
}

/** A footprint that darkens the floor; `depth` is the share of light it removes, 0 to 1. */
export interface Shadow {
  readonly rect: Rect;
  readonly depth: number;
}

export function floorLight(
  walls: readonly Side[],
  shadows: readonly Shadow[],
  x: number,
  z: number,
): number {
  let light = 1;
  for (const wall of walls) {
    const d = distanceToSide(wall, x, z);
    if (d < 1.2) light *= occlusion(d, 0.24, 0.28);
  }
  for (const { rect, depth } of shadows) {
    const d = distanceToRect(rect, x, z);
    if (d < 0.6) light *= occlusion(d, depth, 0.16);
  }
  return Math.max(0.42, light);
}

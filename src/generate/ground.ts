import type { Random } from "../core/math/random.js";
import type { Vec3 } from "../core/math/vec3.js";

/** Queries of a scene's navmesh that generation needs. */
export interface Ground {
  snap(point: Vec3): Vec3 | undefined;
  /** End position of a straight step from one point to another. */
  step(from: Vec3, to: Vec3, sliding: boolean): Vec3;
  distance(from: Vec3, to: Vec3): number;
  distanceToAny(from: Vec3, goals: readonly Vec3[]): number;
  path(from: Vec3, to: Vec3): Vec3[];
  island(point: Vec3): number | undefined;
  randomPoint(random: Random, island?: number): Vec3;
}

/** Rounds to 0.1 mm, which no step or metric notices and which saves two thirds of the digits. */
const PER_METRE = 10_000;

export function rounded(value: number): number {
  // Adding 0 turns -0 into 0, which is written differently.
  return Math.round(value * PER_METRE) / PER_METRE + 0;
}

export function roundedPoint([x, y, z]: Vec3): Vec3 {
  return [rounded(x), rounded(y), rounded(z)];
}

/** Navmeshes number their connected components by size. */
export const LARGEST_ISLAND = 0;

const AROUND = 8;

/** True if a step of `radiusM` is possible in every direction. */
export function isClear(ground: Ground, point: Vec3, radiusM: number): boolean {
  for (let i = 0; i < AROUND; i++) {
    const angle = (2 * Math.PI * i) / AROUND;
    const [dx, dz] = [Math.sin(angle) * radiusM, Math.cos(angle) * radiusM];
    const [x, , z] = ground.step(point, [point[0] + dx, point[1], point[2] + dz], false);
    if (Math.hypot(x - point[0] - dx, z - point[2] - dz) > 0.01) return false;
  }
  return true;
}

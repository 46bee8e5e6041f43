import { distance3, type Vec3 } from "../../core/math/vec3.js";
import type { SceneModel } from "../../simulator/scenes/model.js";
import { transformInto } from "../../simulator/scenes/transform.js";
import { type Ground, rounded } from "../ground.js";
import { floorDistance } from "../instructions/floor-plan.js";
import type { RayCaster } from "./ray-caster.js";

/**
 * Spacing of the points over the floor, metres. With neighbours at most 0.1 m apart, every place where the
 * object is in view is within 0.1 m of a point, which is ObjectNav's success distance.
 */
const SPACING_M = 0.09;
const APART_M = 0.1;
/** Habitat's: how far from an object its view points are, metres. */
const REACH_M = 1;
const EYE_M = 1.25;
/** Points of the object's surface that are looked at, and how many of them must be in view. */
const LOOKED_AT = 16;
const IN_VIEW = 4;
/** A spot of fewer points is too small to be entered by steps of 0.25 m. */
const FEWEST = 12;

/** Where one can stand to see objects of a scene. */
export class ViewPoints {
  constructor(
    readonly model: SceneModel,
    readonly ground: Ground,
    readonly island: number,
    readonly rays: RayCaster,
  ) {}

  /** Of one instance, row by row; empty where it cannot be seen from near. */
  of(instance: number): Vec3[] {
    const surface = this.#surfaceOf(instance);
    const cells = new Map<string, Vec3>();
    const object = this.model.instances[instance];
    if (!object || surface.length === 0) return [];
    const { min, max } = object;
    const span = (axis: 0 | 2) => [
      Math.ceil((min[axis] - REACH_M) / SPACING_M),
      Math.floor((max[axis] + REACH_M) / SPACING_M),
    ];
    const [fromX = 0, toX = 0] = span(0);
    const [fromZ = 0, toZ = 0] = span(2);
    for (let i = fromX; i <= toX; i++) {
      for (let j = fromZ; j <= toZ; j++) {
        const wish: Vec3 = [rounded(i * SPACING_M), min[1], rounded(j * SPACING_M)];
        if (floorDistance(object, wish) > REACH_M) continue;
        const point = this.#standing(wish, max[1]);
        if (point && this.#sees(point, instance, surface)) cells.set(`${i} ${j}`, point);
      }
    }
    return inSpots(cells);
  }

  /** The floor at a place, as it will be written; undefined where nobody can stand or get to. */
  #standing(wish: Vec3, topM: number): Vec3 | undefined {
    const snapped = this.ground.snap(wish);
    if (!snapped || snapped[1] > topM || wish[1] - snapped[1] > 2) return undefined;
    if (Math.hypot(snapped[0] - wish[0], snapped[2] - wish[2]) > 1e-3) return undefined;
    const point: Vec3 = [wish[0], rounded(snapped[1]), wish[2]];
    return this.ground.island(point) === this.island ? point : undefined;
  }

  #sees([x, y, z]: Vec3, instance: number, surface: readonly Vec3[]): boolean {
    const eye: Vec3 = [x, y + EYE_M, z];
    const needed = Math.min(IN_VIEW, surface.length);
    let seen = 0;
    for (const [i, point] of surface.entries()) {
      if (this.rays.firstHit(eye, point) === instance) seen++;
      if (seen >= needed) return true;
      if (seen + surface.length - 1 - i < needed) return false;
    }
    return false;
  }

  /** Middles of some of its triangles, spread over all of them. */
  #surfaceOf(instance: number): Vec3[] {
    const middles: Vec3[] = [];
    for (const part of this.model.parts) {
      if (part.instance !== instance) continue;
      const { positions, indices } = part.mesh;
      const placed = new Float32Array(positions.length);
      transformInto(placed, 0, positions, part.transform);
      for (let i = 0; i < indices.length; i += 3) {
        const corner = (axis: number) =>
          [0, 1, 2].reduce((sum, k) => {
            return sum + (placed[3 * (indices[i + k] as number) + axis] as number) / 3;
          }, 0);
        middles.push([corner(0), corner(1), corner(2)]);
      }
    }
    const step = Math.max(1, middles.length / LOOKED_AT);
    const count = Math.min(LOOKED_AT, middles.length);
    return Array.from({ length: count }, (_, i) => middles[Math.floor(i * step)] as Vec3);
  }
}

/** Only points that belong to a spot of enough, each next to another. */
function inSpots(cells: ReadonlyMap<string, Vec3>): Vec3[] {
  const kept = new Set<string>();
  const seen = new Set<string>();
  for (const first of cells.keys()) {
    if (seen.has(first)) continue;
    const spot = [first];
    seen.add(first);
    for (const cell of spot) {
      for (const next of neighbours(cell)) {
        if (seen.has(next) || !areNear(cells.get(cell), cells.get(next))) continue;
        seen.add(next);
        spot.push(next);
      }
    }
    if (spot.length >= FEWEST) for (const cell of spot) kept.add(cell);
  }
  return [...cells].filter(([cell]) => kept.has(cell)).map(([, point]) => point);
}

/** Steps in the floor keep cells apart that are next to each other. */
function areNear(a: Vec3 | undefined, b: Vec3 | undefined): boolean {
  return a !== undefined && b !== undefined && distance3(a, b) <= APART_M;
}

function neighbours(cell: string): string[] {
  const [i = 0, j = 0] = cell.split(" ").map(Number);
  return [`${i - 1} ${j}`, `${i + 1} ${j}`, `${i} ${j - 1}`, `${i} ${j + 1}`];
}

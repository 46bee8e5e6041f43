import { distance3, type Vec3 } from "../../core/math/vec3.js";
import { worldPositions } from "../../simulator/scenes/geometry.js";
import type { SceneModel } from "../../simulator/scenes/model.js";
import { type Ground, rounded } from "../ground.js";
import { floorDistance } from "../instructions/floor-plan.js";
import type { RayCaster } from "./ray-caster.js";

/**
 * Spacing of the points on the floor in metres. With neighbours at most 0.1 m apart, every point that sees the object
 * is within 0.1 m of a view point, which is ObjectNav's success distance.
 */
const SPACING_M = 0.09;
const APART_M = 0.1;
/** Maximum distance of view points from their object in metres, as in Habitat. */
const REACH_M = 1;
const EYE_M = 1.25;
/** Number of surface points that are tested, and how many of them must be visible. */
const SURFACE_POINTS = 16;
const IN_VIEW = 4;
/** A cluster of fewer points is too small for steps of 0.25 m. */
const MIN_CLUSTER = 12;

/** Finds the points from which objects of a scene are visible. */
export class ViewPoints {
  constructor(
    readonly model: SceneModel,
    readonly ground: Ground,
    readonly island: number,
    readonly rays: RayCaster,
  ) {}

  /** View points of one instance, row by row; empty if it is not visible from nearby. */
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
        const candidate: Vec3 = [rounded(i * SPACING_M), min[1], rounded(j * SPACING_M)];
        if (floorDistance(object, candidate) > REACH_M) continue;
        const point = this.#floorAt(candidate, max[1]);
        if (point && this.#sees(point, instance, surface)) cells.set(`${i} ${j}`, point);
      }
    }
    return largeClusters(cells);
  }

  /** The floor at a position, rounded as it will be written; undefined if not reachable. */
  #floorAt(candidate: Vec3, topM: number): Vec3 | undefined {
    const snapped = this.ground.snap(candidate);
    if (!snapped || snapped[1] > topM || candidate[1] - snapped[1] > 2) return undefined;
    if (Math.hypot(snapped[0] - candidate[0], snapped[2] - candidate[2]) > 1e-3) return undefined;
    const point: Vec3 = [candidate[0], rounded(snapped[1]), candidate[2]];
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

  /** Centres of some of its triangles, spread over all of them. */
  #surfaceOf(instance: number): Vec3[] {
    const middles: Vec3[] = [];
    for (const part of this.model.parts) {
      if (part.instance !== instance) continue;
      const { indices } = part.mesh;
      const placed = worldPositions(part);
      for (let i = 0; i < indices.length; i += 3) {
        const corner = (axis: number) =>
          [0, 1, 2].reduce((sum, k) => {
            return sum + (placed[3 * (indices[i + k] as number) + axis] as number) / 3;
          }, 0);
        middles.push([corner(0), corner(1), corner(2)]);
      }
    }
    const step = Math.max(1, middles.length / SURFACE_POINTS);
    const count = Math.min(SURFACE_POINTS, middles.length);
    return Array.from({ length: count }, (_, i) => middles[Math.floor(i * step)] as Vec3);
  }
}

/** Keeps only points in clusters of enough adjacent points. */
function largeClusters(cells: ReadonlyMap<string, Vec3>): Vec3[] {
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
    if (spot.length >= MIN_CLUSTER) for (const cell of spot) kept.add(cell);
  }
  return [...cells].filter(([cell]) => kept.has(cell)).map(([, point]) => point);
}

/** True if two adjacent cells have about the same height. */
function areNear(a: Vec3 | undefined, b: Vec3 | undefined): boolean {
  return a !== undefined && b !== undefined && distance3(a, b) <= APART_M;
}

function neighbours(cell: string): string[] {
  const [i = 0, j = 0] = cell.split(" ").map(Number);
  return [`${i - 1} ${j}`, `${i + 1} ${j}`, `${i} ${j - 1}`, `${i} ${j + 1}`];
}

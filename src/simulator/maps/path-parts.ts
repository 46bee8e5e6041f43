import type { Vec3 } from "../../core/math/vec3.js";
import type { Point } from "./plan.js";
import type { Storeys } from "./storeys.js";

/** A point of a path on one storey. */
export interface PathPoint {
  readonly point: Point;
  /** 0 at the path's start, 1 at its end. */
  readonly share: number;
}

/** Pieces that a segment between two storeys is split into, to find where it leaves a storey. */
const PIECES = 8;

/** The parts of a path on a storey, including stairs to and from it. */
export function partsOn(path: readonly Vec3[], storeys: Storeys, storey: number): PathPoint[][] {
  const parts: PathPoint[][] = [];
  let part: PathPoint[] | undefined;
  for (const { position, share } of legs(path, storeys)) {
    if (storeys.at(position[1]).includes(storey)) {
      if (part === undefined) {
        part = [];
        parts.push(part);
      }
      part.push({ point: [position[0], position[2]], share });
    } else part = undefined;
  }
  return parts;
}

function* legs(path: readonly Vec3[], storeys: Storeys) {
  let before: Vec3 | undefined;
  const last = Math.max(1, path.length - 1);
  for (const [i, position] of path.entries()) {
    if (before && storeys.at(before[1]).join() !== storeys.at(position[1]).join()) {
      for (let k = 1; k < PIECES; k++) {
        const share = (i - 1 + k / PIECES) / last;
        yield { position: between(before, position, k / PIECES), share };
      }
    }
    yield { position, share: i / last };
    before = position;
  }
}

function between(a: Vec3, b: Vec3, t: number): Vec3 {
  return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];
}

import { rotate } from "../../../core/math/quat-wxyz.js";
import { shapeOf } from "../objects/object.js";
import type { ObjectSpec, TableSpec } from "./world.js";
import { turn } from "./yaw.js";

type Point2 = readonly [x: number, y: number];

/** The volume of an object: its outline from above, and its lowest and highest point. */
export interface Footprint {
  /** Convex, counter-clockwise. */
  readonly outline: readonly Point2[];
  readonly low: number;
  readonly high: number;
}

export function footprintOf(object: Omit<ObjectSpec, "name">): Footprint {
  const half = object.sizeM[2] / 2;
  const corners = shapeOf(object)
    .outline(object.sizeM)
    .flatMap(([x, y]) => [-half, half].map((z) => rotate(object.rotation_wxyz, [x, y, z])));
  const heights = corners.map(([, , z]) => object.position[2] + z);
  return {
    outline: hull(corners.map(([x, y]) => [object.position[0] + x, object.position[1] + y])),
    low: Math.min(...heights),
    high: Math.max(...heights),
  };
}

/**
 * Penetration depth of two footprints in metres; 0 if they do not overlap. Exact for upright objects; tilted ones count
 * as wide as their outline over their whole height.
 */
export function overlapM(a: Footprint, b: Footprint): number {
  let depth = Math.min(a.high, b.high) - Math.max(a.low, b.low);
  for (const [one, other] of [
    [a.outline, b.outline],
    [b.outline, a.outline],
  ] as const) {
    for (const [i, [x0, y0]] of one.entries()) {
      const [x1, y1] = one[(i + 1) % one.length] as Point2;
      const length = Math.hypot(x1 - x0, y1 - y0);
      // How far the other outline is inside this edge; the inside is on its left.
      const inside = other.map(([x, y]) => ((y - y0) * (x1 - x0) - (x - x0) * (y1 - y0)) / length);
      depth = Math.min(depth, Math.max(...inside));
    }
  }
  return Math.max(0, depth);
}

/** Whether a point is above the table's top, at least `marginM` from its edges. */
export function overTable(table: TableSpec, [x, y]: Point2, marginM = 0): boolean {
  const [u, v] = turn(-table.yawRad, x - table.position[0], y - table.position[1]);
  return Math.abs(u) <= table.sizeM[0] / 2 - marginM && Math.abs(v) <= table.sizeM[1] / 2 - marginM;
}

/** Convex hull, by Andrew's monotone chain. */
function hull(points: readonly Point2[]): Point2[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (ordered: readonly Point2[]): Point2[] => {
    const chain: Point2[] = [];
    for (const point of ordered) {
      while (chain.length > 1 && !turnsLeft(chain.at(-2), chain.at(-1), point)) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** With a tolerance, so that rounding does not leave edges of zero length. */
function turnsLeft(a: Point2 | undefined, b: Point2 | undefined, c: Point2): boolean {
  if (!a || !b) return true;
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 1e-12;
}

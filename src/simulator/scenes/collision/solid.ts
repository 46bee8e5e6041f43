import { dot, type Vec3 } from "../../../core/math/vec3.js";

/** A convex solid in the scene's axes. */
export type Solid = BoxSolid | HullSolid;

export interface BoxSolid {
  readonly kind: "box";
  readonly centre: Vec3;
  /** Unit vectors of a right-handed frame. */
  readonly axes: readonly [Vec3, Vec3, Vec3];
  readonly halfM: Vec3;
}

/** The convex hull of its points. */
export interface HullSolid {
  readonly kind: "hull";
  readonly points: readonly Vec3[];
}

/** The box that spans the points along the axes. */
export function boxAround(points: readonly Vec3[], axes: BoxSolid["axes"]): BoxSolid {
  const spans = axes.map((axis) => {
    const values = points.map((point) => dot(axis, point));
    return [Math.min(...values), Math.max(...values)] as const;
  });
  const middle = spans.map(([low, high]) => (low + high) / 2);
  const [hx = 0, hy = 0, hz = 0] = spans.map(([low, high]) => (high - low) / 2);
  const along = (k: 0 | 1 | 2) =>
    axes.reduce((sum, axis, i) => sum + axis[k] * (middle[i] ?? 0), 0);
  return { kind: "box", centre: [along(0), along(1), along(2)], axes, halfM: [hx, hy, hz] };
}

/** Extreme points of a solid. */
export function cornersOf(solid: Solid): readonly Vec3[] {
  if (solid.kind === "hull") return solid.points;
  const { centre, axes, halfM } = solid;
  const signs = [-1, 1] as const;
  return signs.flatMap((i) =>
    signs.flatMap((j) =>
      signs.map((k): Vec3 => {
        const at = (n: 0 | 1 | 2) =>
          centre[n] +
          i * halfM[0] * axes[0][n] +
          j * halfM[1] * axes[1][n] +
          k * halfM[2] * axes[2][n];
        return [at(0), at(1), at(2)];
      }),
    ),
  );
}

/** Whether a point is in a box, up to a tolerance. */
export function isInBox(
  { centre, axes, halfM }: BoxSolid,
  point: Vec3,
  toleranceM: number,
): boolean {
  return axes.every((axis, i) => {
    const off = dot(axis, [point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]]);
    return Math.abs(off) <= (halfM[i] ?? 0) + toleranceM;
  });
}

import type { IkOptions, Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { conjugate, multiply, rotate } from "../../../core/math/quat-wxyz.js";
import type { QuatWxyz } from "../../../core/math/rotation.js";
import type { Vec3 } from "../../../core/math/vec3.js";

/** Metres that a radian counts as when moves and turns are weighed against each other: a forearm's length. */
const RADIAN_M = 0.3;

/** How far a pose is from another, and in which directions that counts. */
export interface PoseError {
  readonly move: Vec3;
  /** A rotation vector in the axes of the world. */
  readonly turn: Vec3;
  readonly moveM: number;
  readonly turnRad: number;
  /** The sum of the squares of `rows`. */
  readonly squared: number;
  /** What is missing: three moves, then turns about `axes`, in metres. */
  readonly rows: readonly number[];
  /** The rows of a Jacobian (x, y, z, rx, ry, rz; `width` columns) that belong to `rows`. */
  project(jacobian: Float64Array, width: number): Float64Array;
}

/** With `axis: "x"` the turn about the frame's own x axis does not count, with "none" no turn does. */
export function poseError(from: Pose3, to: Pose3, axis: NonNullable<IkOptions["axis"]>): PoseError {
  const [[x, y, z], [toX, toY, toZ]] = [from.position, to.position];
  const move: Vec3 = [toX - x, toY - y, toZ - z];
  const { turn, axes } = turnBetween(from.rotation_wxyz, to.rotation_wxyz, axis);
  const rows = [...move, ...axes.map((about) => RADIAN_M * dot(about, turn))];
  return {
    move,
    turn,
    moveM: Math.hypot(...move),
    turnRad: Math.hypot(...turn),
    squared: rows.reduce((sum, x) => sum + x * x, 0),
    rows,
    project: (jacobian, width) => {
      const out = new Float64Array(rows.length * width);
      out.set(jacobian.subarray(0, 3 * width));
      for (const [i, about] of axes.entries()) {
        for (let column = 0; column < width; column++) {
          let sum = 0;
          for (let k = 0; k < 3; k++) {
            sum += (about[k] as number) * (jacobian[(3 + k) * width + column] as number);
          }
          out[(3 + i) * width + column] = RADIAN_M * sum;
        }
      }
      return out;
    },
  };
}

/** A rotation vector in the axes of the world, and the directions in which turning counts. */
function turnBetween(
  from: QuatWxyz,
  to: QuatWxyz,
  axis: NonNullable<IkOptions["axis"]>,
): { readonly turn: Vec3; readonly axes: readonly Vec3[] } {
  if (axis === "none") return { turn: [0, 0, 0], axes: [] };
  if (axis === "all") {
    const axes: readonly Vec3[] = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    return { turn: rotationVector(multiply(to, conjugate(from))), axes };
  }
  const [now, wanted] = [rotate(from, [1, 0, 0]), rotate(to, [1, 0, 0])];
  // Two directions across the axis, from the frame itself: they turn with it, and exist always.
  const axes: readonly Vec3[] = [rotate(from, [0, 1, 0]), rotate(from, [0, 0, 1])];
  const about = cross(now, wanted);
  const sine = Math.hypot(...about);
  const angle = Math.atan2(sine, dot(now, wanted));
  // Looking the opposite way, any direction leads back.
  const [x, y, z] = sine > 1e-9 ? scaled(about, 1 / sine) : (axes[1] as Vec3);
  return { turn: [x * angle, y * angle, z * angle], axes };
}

function rotationVector([w, x, y, z]: QuatWxyz): Vec3 {
  const sine = Math.hypot(x, y, z);
  if (sine < 1e-12) return [0, 0, 0];
  // The shorter way round: q and -q are the same turn.
  const angle = 2 * Math.atan2(w < 0 ? -sine : sine, Math.abs(w));
  return scaled([x, y, z], angle / sine);
}

function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function scaled([x, y, z]: Vec3, by: number): Vec3 {
  return [x * by, y * by, z * by];
}

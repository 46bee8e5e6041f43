import type { IkOptions, Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { conjugate, multiply, rotate } from "../../../core/math/quat-wxyz.js";
import type { QuatWxyz } from "../../../core/math/rotation.js";
import { cross, dot, scale, subtract, type Vec3 } from "../../../core/math/vec3.js";

/** Weight of a radian in metres, about the length of a forearm. */
const RADIAN_M = 0.3;

/** The difference between two poses. */
export interface PoseError {
  readonly move: Vec3;
  /** A rotation vector in world axes. */
  readonly turn: Vec3;
  readonly moveM: number;
  readonly turnRad: number;
  /** The sum of the squares of `rows`. */
  readonly squared: number;
  /** The translation, then the rotation about each counted axis, weighted as metres. */
  readonly rows: readonly number[];
  /** Projects a Jacobian (rows x, y, z, rx, ry, rz; `width` columns) onto `rows`. */
  project(jacobian: Float64Array, width: number): Float64Array;
}

/** With `axis: "x"`, rotation about the frame's own x axis is ignored; with "none", all rotation. */
export function poseError(from: Pose3, to: Pose3, axis: NonNullable<IkOptions["axis"]>): PoseError {
  const move = subtract(to.position, from.position);
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

/** The rotation vector in world axes, and the axes about which rotation counts. */
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
  // The frame's y and z axes are always perpendicular to its x axis, unlike a cross product.
  const axes: readonly Vec3[] = [rotate(from, [0, 1, 0]), rotate(from, [0, 0, 1])];
  const about = cross(now, wanted);
  const sine = Math.hypot(...about);
  const angle = Math.atan2(sine, dot(now, wanted));
  // The directions are opposite: rotation about any perpendicular axis aligns them.
  const direction = sine > 1e-9 ? scale(about, 1 / sine) : (axes[1] as Vec3);
  return { turn: scale(direction, angle), axes };
}

function rotationVector([w, x, y, z]: QuatWxyz): Vec3 {
  const sine = Math.hypot(x, y, z);
  if (sine < 1e-12) return [0, 0, 0];
  // q and -q are the same rotation; take the smaller angle.
  const angle = 2 * Math.atan2(w < 0 ? -sine : sine, Math.abs(w));
  return scale([x, y, z], angle / sine);
}

import type { Pose3, ViewObject } from "../../core/interfaces/manipulation-view.js";
import { rotate } from "../../core/math/quat-wxyz.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { yawOf } from "./pose.js";

/** A box that is rotated about the vertical only. */
export interface UprightBox {
  readonly centre: Vec3;
  readonly yawRad: number;
  /** Half of its length, width and height. */
  readonly half: Vec3;
}

/** The smallest upright box around an object of any orientation. */
export function boxAround({ position, rotation_wxyz, sizeM }: ViewObject): UprightBox {
  const axes = (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const
  ).map((axis, i) => {
    const [x, y, z] = rotate(rotation_wxyz, axis);
    const half = (sizeM[i] ?? 0) / 2;
    return { x: x * half, y: y * half, z: z * half };
  });
  // Use the yaw of the flatter of the first two axes, so that upright boxes keep their shape.
  const [first, second] = axes;
  const flat = Math.abs(first?.z ?? 0) <= Math.abs(second?.z ?? 0) ? first : second;
  const yawRad = Math.atan2(flat?.y ?? 0, flat?.x ?? 1);
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  const half: Vec3 = [
    axes.reduce((sum, { x, y }) => sum + Math.abs(x * cos + y * sin), 0),
    axes.reduce((sum, { x, y }) => sum + Math.abs(y * cos - x * sin), 0),
    axes.reduce((sum, { z }) => sum + Math.abs(z), 0),
  ];
  return { centre: position, yawRad, half };
}

/** A box given by its corners in the axes of a level hand, x along the fingers. */
export function boxInHand(hand: Pose3, low: Vec3, high: Vec3): UprightBox {
  const middle: Vec3 = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  const yawRad = yawOf(hand.rotation_wxyz);
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  const [x, y, z] = hand.position;
  return {
    centre: [
      x + cos * middle[0] - sin * middle[1],
      y + sin * middle[0] + cos * middle[1],
      z + middle[2],
    ],
    yawRad,
    half: [(high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2],
  };
}

/**
 * Distance of two upright boxes in metres along the axis that separates them best; negative if they overlap. Only
 * tests their own axes, so near corners it underestimates the true distance.
 */
export function gap(a: UprightBox, b: UprightBox): number {
  let best = Math.abs(a.centre[2] - b.centre[2]) - a.half[2] - b.half[2];
  const dx = b.centre[0] - a.centre[0];
  const dy = b.centre[1] - a.centre[1];
  for (const angle of [a.yawRad, a.yawRad + Math.PI / 2, b.yawRad, b.yawRad + Math.PI / 2]) {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const apart = Math.abs(dx * cos + dy * sin) - reach(a, angle) - reach(b, angle);
    best = Math.max(best, apart);
  }
  return best;
}

/** Extent of a box from its centre along a heading. */
function reach({ yawRad, half }: UprightBox, heading: number): number {
  const turned = heading - yawRad;
  return half[0] * Math.abs(Math.cos(turned)) + half[1] * Math.abs(Math.sin(turned));
}

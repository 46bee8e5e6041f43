import type { Pose3, ViewObject } from "../../core/interfaces/manipulation-view.js";
import { rotate } from "../../core/math/quat-wxyz.js";
import { wrapAngle } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { boxAround, boxInHand, gap, type UprightBox } from "./clearance.js";
import type { GraspStyle } from "./grasps.js";
import { level, yawOf } from "./pose.js";

/**
 * Box around the hand from fingertips to wrist in metres, large enough for all supported robots: length, half width,
 * half height.
 */
const HAND_LENGTH_M = 0.25;
const HAND_HALF_HEIGHT_M = 0.025;
const FINGER_THICK_M = 0.028;
const TIP_M = 0.03;
/** Arm behind a level hand: half its width, and the length that is checked behind the wrist. */
const ARM_HALF_M = 0.05;
const ARM_LENGTH_M = 0.4;
/** A hand rotated farther than this from the arm, in radians, would reach back over it. */
const MAX_TWIST = 1.7;
/** Hand from above: the fingers, then the body across them. */
const FINGER_LENGTH_M = 0.035;
const PALM_HALF_M = 0.11;

/**
 * Distance in metres from a hand, with the arm behind it, to the nearest object. Negative if it would touch, or would
 * have to reach back over its own arm. Uses boxes only, to rule out poses that are clearly blocked.
 *
 * @param reachYawRad the heading along which the arm of a level hand reaches out
 * @param backM how far the hand backs out along its fingers
 */
export function handClearance(
  hand: Pose3,
  style: GraspStyle,
  openingM: number,
  backM: number,
  reachYawRad: number,
  others: readonly ViewObject[],
): number {
  if (style === "level" && Math.abs(twist(hand, reachYawRad)) > MAX_TWIST) {
    return Number.NEGATIVE_INFINITY;
  }
  const boxes =
    style === "level"
      ? levelHand(hand, openingM, backM, reachYawRad)
      : handFromAbove(hand, openingM);
  let least = Number.POSITIVE_INFINITY;
  for (const other of others.map(boxAround)) {
    for (const box of boxes) least = Math.min(least, gap(box, other));
  }
  return least;
}

/** Angle in radians between a level hand and the heading along which its arm reaches out. */
export function twist({ rotation_wxyz }: Pose3, reachYawRad: number): number {
  return wrapAngle(yawOf(rotation_wxyz) - reachYawRad);
}

function levelHand(
  hand: Pose3,
  openingM: number,
  backM: number,
  reachYawRad: number,
): UprightBox[] {
  const halfWidth = openingM / 2 + FINGER_THICK_M;
  const wrist = boxInHand(hand, [-HAND_LENGTH_M, 0, 0], [-HAND_LENGTH_M, 0, 0]).centre;
  const arm: Pose3 = { position: wrist, rotation_wxyz: level(reachYawRad) };
  const h = HAND_HALF_HEIGHT_M;
  return [
    boxInHand(hand, [-HAND_LENGTH_M - backM, -halfWidth, -h], [TIP_M, halfWidth, h]),
    boxInHand(arm, [-ARM_LENGTH_M, -ARM_HALF_M, -h], [ARM_HALF_M, ARM_HALF_M, 0.1]),
  ];
}

function handFromAbove(hand: Pose3, openingM: number): UprightBox[] {
  // Seen from above, the hand's x axis is a point, so use the closing direction as its heading.
  const upright: Pose3 = { position: hand.position, rotation_wxyz: level(closingYaw(hand)) };
  const halfOpen = openingM / 2 + FINGER_THICK_M;
  const low: Vec3 = [-halfOpen, -0.015, -0.01];
  return [
    boxInHand(upright, low, [halfOpen, 0.015, FINGER_LENGTH_M]),
    boxInHand(upright, [-PALM_HALF_M, -0.04, FINGER_LENGTH_M], [PALM_HALF_M, 0.04, 0.25]),
  ];
}

function closingYaw({ rotation_wxyz }: Pose3): number {
  const [x, y] = rotate(rotation_wxyz, [0, 1, 0]);
  return Math.atan2(y, x);
}

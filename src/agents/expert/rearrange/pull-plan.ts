import type { ViewFixture } from "../../../core/interfaces/manipulation-view.js";
import { rotate } from "../../../core/math/quat-wxyz.js";
import { wrapAngle } from "../../../core/math/rotation.js";
import { add, scale, type Vec3 } from "../../../core/math/vec3.js";
import { type Arm, type ArmJoints, type FlatPose, inBase } from "./arm.js";

/** Share of its range to which a drawer is pulled open. */
const PULLED = 0.95;
/** Opening between two points of the pull, as a share of the range. */
const STEP = 0.1;
/** The middle of the pads stays this far before the handle's bar, so that the fingertips do not touch the front. */
const BEFORE_BAR_M = 0.01;
/** Distance from the bar at which the hand comes in. */
export const FROM_BAR_M = 0.1;
/** Maximum angle between the fingers and the way of the drawer. The bar is round, so the hand may turn about it. */
const ASKEW_RAD = 0.5;

/** A pull of a drawer by its handle, with level fingers. */
export interface Pull {
  /** In front of the handle. */
  readonly hover: ArmJoints;
  /** At the handle. */
  readonly at: ArmJoints;
  /** Along the way of the drawer, the last one where it ends. */
  readonly way: readonly ArmJoints[];
  /** Where the fingers close. */
  readonly point: Vec3;
  readonly costS: number;
}

/** The pull of a drawer by an arm on a base at a pose; undefined if the arm does not reach all of the way. */
export function pullOf(arm: Arm, base: FlatPose, drawer: ViewFixture): Pull | undefined {
  const inwards = rotate(drawer.handle.rotation_wxyz, [1, 0, 0]);
  const pointAt = (opened: number) =>
    add(drawer.handleAt(opened).position, scale(inwards, -BEFORE_BAR_M));
  const point = pointAt(drawer.opened);
  const at = arm.solve(inBase(base, point), 0);
  if (!at) return undefined;
  const heading = base[2] - Math.PI / 2 + at.yaw;
  const askew = Math.abs(wrapAngle(heading - Math.atan2(inwards[1], inwards[0])));
  const hover = { ...at, arm: at.arm - FROM_BAR_M };
  if (askew > ASKEW_RAD || !arm.isWithin(hover)) return undefined;
  const way: ArmJoints[] = [];
  for (let share = drawer.opened + STEP; share < PULLED + STEP; share += STEP) {
    const joints = arm.solve(inBase(base, pointAt(Math.min(share, PULLED))), 0);
    if (!joints) return undefined;
    way.push(joints);
  }
  return { hover, at, way, point, costS: 3 * Math.abs(at.yaw) + 8 * askew };
}

import { type Grasp, type GraspStyle, graspsOf } from "../../agents/expert/grasps.js";
import { handClearance } from "../../agents/expert/hand-clearance.js";
import { along, raised, shifted } from "../../agents/expert/pose.js";
import type { Pose3 } from "../../core/interfaces/manipulation-view.js";
import { subtract, type Vec3 } from "../../core/math/vec3.js";
import { type Placed, toViewObject } from "./layout.js";
import type { Reach } from "./robot-reach.js";
import type { Stage } from "./stage.js";

/** Retreat along the fingers, and upwards: poses that the hand must reach besides the grasp. */
const BACK_M = 0.12;
const UP_M = 0.16;
/** Minimum clearance to other objects, in metres. */
const CLEARANCE_M = 0.01;
/** Extra width of the open fingers over the object, in metres. */
const SLACK_M = 0.012;

export interface Carrying {
  readonly object: Placed;
  readonly to: Vec3;
  /** Obstacles for the hand, at the start and at the end. */
  readonly others: readonly Placed[];
  readonly othersAtEnd: readonly Placed[];
}

/**
 * Explains by geometry alone why no grasp can carry the object: `too wide`, `blocked` by other objects, or `out of
 * reach`; undefined if some grasp can. Nothing is simulated.
 */
export function carryingFault(
  { object, to, others, othersAtEnd }: Carrying,
  stage: Stage,
  reach: Reach,
): "too wide" | "blocked" | "out of reach" | undefined {
  const offset = subtract(to, object.position);
  const fits = reach.styles
    .flatMap((style: GraspStyle) => graspsOf(toViewObject(object), style))
    .filter(({ widthM }) => widthM + SLACK_M <= reach.openingM);
  if (fits.length === 0) return "too wide";
  const clearance = (pose: Pose3, style: GraspStyle, obstacles: readonly Placed[]) =>
    handClearance(
      pose,
      style,
      reach.openingM,
      BACK_M,
      stage.reachYawRad,
      obstacles.map(toViewObject),
    );
  const free = fits.filter(
    ({ pose, style }) =>
      clearance(pose, style, others) > CLEARANCE_M &&
      clearance(shifted(pose, offset), style, othersAtEnd) > CLEARANCE_M,
  );
  if (free.length === 0) return "blocked";
  return free.some((grasp) => canCarry(grasp, offset, stage, reach)) ? undefined : "out of reach";
}

function canCarry({ pose }: Grasp, offset: Vec3, stage: Stage, reach: Reach): boolean {
  const end = shifted(pose, offset);
  const poses = [pose, end].flatMap((at) => [at, along(at, -BACK_M), raised(at, UP_M)]);
  return poses.every((at) => reach.canReach(at, stage));
}

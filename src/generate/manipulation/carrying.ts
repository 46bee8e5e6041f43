import { type Grasp, type GraspStyle, graspsOf } from "../../agents/expert/grasps.js";
import { handRoom } from "../../agents/expert/hand-room.js";
import { along, raised, shifted, subtract } from "../../agents/expert/pose.js";
import type { Pose3 } from "../../core/interfaces/manipulation-view.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { type Placed, seenAs } from "./layout.js";
import type { Reach } from "./reach.js";
import type { Stage } from "./stage.js";

/** Back along the fingers, and up: where the hand must get besides the grasp itself. */
const BACK_M = 0.12;
const UP_M = 0.16;
/** Metres to other things. */
const ROOM_M = 0.01;
/** Metres that fingers are wider open than what they take. */
const SLACK_M = 0.012;

export interface Carrying {
  readonly object: Placed;
  readonly to: Vec3;
  /** What is in the way of the hand, at the start and at the end. */
  readonly others: readonly Placed[];
  readonly othersAtEnd: readonly Placed[];
}

/**
 * Why no hand can take an object there, by geometry alone: `blocked` by other things, or out of `reach`;
 * undefined when some grasp can. Nothing is simulated.
 */
export function carryingFault(
  { object, to, others, othersAtEnd }: Carrying,
  stage: Stage,
  reach: Reach,
): "too wide" | "blocked" | "out of reach" | undefined {
  const offset = subtract(to, object.position);
  const fits = reach.styles
    .flatMap((style: GraspStyle) => graspsOf(seenAs(object), style))
    .filter(({ widthM }) => widthM + SLACK_M <= reach.openingM);
  if (fits.length === 0) return "too wide";
  const room = (pose: Pose3, style: GraspStyle, things: readonly Placed[]) =>
    handRoom(pose, style, reach.openingM, BACK_M, stage.reachYawRad, things.map(seenAs));
  const free = fits.filter(
    ({ pose, style }) =>
      room(pose, style, others) > ROOM_M &&
      room(shifted(pose, offset), style, othersAtEnd) > ROOM_M,
  );
  if (free.length === 0) return "blocked";
  return free.some((grasp) => canCarry(grasp, offset, stage, reach)) ? undefined : "out of reach";
}

function canCarry({ pose }: Grasp, offset: Vec3, stage: Stage, reach: Reach): boolean {
  const end = shifted(pose, offset);
  const poses = [pose, end].flatMap((at) => [at, along(at, -BACK_M), raised(at, UP_M)]);
  return poses.every((at) => reach.canReach(at, stage));
}

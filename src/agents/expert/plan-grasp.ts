import type {
  ManipulationView,
  Pose3,
  ViewObject,
} from "../../core/interfaces/manipulation-view.js";
import type { Driver } from "./driver.js";
import { type Grasp, type GraspStyle, graspsOf } from "./grasps.js";
import { handRoom, twist } from "./hand-room.js";
import { along } from "./pose.js";

/** Metres that the open fingers are wider than the object, on both sides together. */
const SLACK_M = 0.012;
/** Metres back along the fingers from which the hand goes straight in. */
export const STANDOFF_M = 0.12;
/**
 * Metres of room that a way must have to others. The boxes are wider than what is in them, so where nothing has
 * room, ways that have almost enough are tried too.
 */
const ROOM_M = [0.005, -0.015] as const;
/** More room is not worth a longer way. */
const AMPLE_M = 0.03;
/** Metres of room that a radian of turning is worth. */
const TURN_COST_M = 0.02;
/** Ways that are solved for before giving up: each costs two searches for joints. */
const MOST_TRIED = 24;

export interface GraspPlan {
  readonly grasp: Grasp;
  /** Before going in. */
  readonly before: Pose3;
  /** Joints from there to the object. */
  readonly reach: readonly (readonly number[])[];
}

export interface GraspWishes {
  readonly styles: readonly GraspStyle[];
  /** The heading along which the arm of a level hand reaches out. */
  readonly reachYawRad: number;
  /** The joints at the start, which solutions should stay near to. */
  readonly home: readonly number[];
  /** Grasps passed over: those that failed before. */
  readonly skip: number;
}

/** The best grasp that fits between the fingers, is free of other objects and can be reached. */
export function planGrasp(
  driver: Driver,
  object: ViewObject,
  wishes: GraspWishes,
): GraspPlan | undefined {
  const { view } = driver;
  const others = view.objects().filter(({ name }) => name !== object.name);
  const choices = ROOM_M.flatMap((roomM) => wishes.styles.map((style) => ({ roomM, style })));
  for (const { roomM, style } of choices) {
    const ranked = rank(view, graspsOf(object, style), others, wishes, roomM);
    let left = wishes.skip;
    for (const grasp of ranked.slice(0, MOST_TRIED)) {
      const before = along(grasp.pose, -STANDOFF_M);
      const first = driver.solvePose(before, withGripper(wishes.home, view));
      const reach = first && driver.solveLine(before, grasp.pose, first);
      if (!reach) continue;
      if (left-- > 0) continue;
      return { grasp, before, reach };
    }
  }
  return wishes.skip > 0 ? planGrasp(driver, object, { ...wishes, skip: 0 }) : undefined;
}

function rank(
  view: ManipulationView,
  grasps: readonly Grasp[],
  others: readonly ViewObject[],
  { reachYawRad }: GraspWishes,
  roomM: number,
): Grasp[] {
  const here = view.endEffector();
  return grasps
    .filter(({ widthM }) => widthM + SLACK_M <= view.gripper.openingM)
    .map((grasp) => {
      const { pose, style } = grasp;
      const room = handRoom(pose, style, view.gripper.openingM, STANDOFF_M, reachYawRad, others);
      const turn = style === "level" ? Math.abs(twist(pose, reachYawRad)) : turnBetween(pose, here);
      return {
        grasp,
        room,
        score: Math.min(room, AMPLE_M) - TURN_COST_M * turn - grasp.widthM / 10,
      };
    })
    .filter(({ room }) => room > roomM)
    .sort((a, b) => b.score - a.score)
    .map(({ grasp }) => grasp);
}

/** Radians of the turn that takes one pose's rotation to another's. */
function turnBetween({ rotation_wxyz: a }: Pose3, { rotation_wxyz: b }: Pose3): number {
  const inner = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  return 2 * Math.acos(Math.min(1, Math.abs(inner)));
}

function withGripper(joints: readonly number[], view: ManipulationView): readonly number[] {
  const now = view.joints()[view.gripperDof] as number;
  return joints.map((value, i) => (i === view.gripperDof ? now : value));
}

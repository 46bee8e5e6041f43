import type { GripperView, Pose3, ViewObject } from "../../core/interfaces/manipulation-view.js";
import type { Driver } from "./driver.js";
import { type Grasp, type GraspStyle, graspsOf } from "./grasps.js";
import { handClearance, twist } from "./hand-clearance.js";
import { along } from "./pose.js";

/** Total extra width of the open fingers over the object, in metres. */
const SLACK_M = 0.012;
/** Distance along the fingers from which the hand moves straight in, in metres. */
export const STANDOFF_M = 0.12;
/**
 * Required clearance to other objects in metres. The boxes are larger than their objects, so the second, weaker limit
 * is tried if the first fails.
 */
const CLEARANCE_M = [0.005, -0.015] as const;
/** Clearance above this has no further value, in metres. */
const ENOUGH_CLEARANCE_M = 0.03;
/** Clearance that one radian of rotation is worth, in metres. */
const TURN_COST_M = 0.02;
/** Number of candidates to solve before giving up; each needs two IK searches. */
const MAX_TRIED = 24;

export interface GraspPlan {
  readonly grasp: Grasp;
  /** Standoff pose before moving in. */
  readonly before: Pose3;
  /** Joints from the standoff pose to the object. */
  readonly reach: readonly (readonly number[])[];
}

export interface GraspOptions {
  readonly styles: readonly GraspStyle[];
  /** Heading along which the arm of a level hand reaches out. */
  readonly reachYawRad: number;
  /** Joints at the start; solutions should stay near them. */
  readonly home: readonly number[];
  /** Number of grasps to skip because they failed before. */
  readonly skip: number;
}

/** Finds the best grasp that fits between the fingers, is collision-free and reachable. */
export function planGrasp(
  driver: Driver,
  object: ViewObject,
  options: GraspOptions,
): GraspPlan | undefined {
  const { view } = driver;
  const others = view.objects().filter(({ name }) => name !== object.name);
  const choices = CLEARANCE_M.flatMap((clearanceM) =>
    options.styles.map((style) => ({ clearanceM, style })),
  );
  for (const { clearanceM, style } of choices) {
    const ranked = rank(view, graspsOf(object, style), others, options, clearanceM);
    let left = options.skip;
    for (const grasp of ranked.slice(0, MAX_TRIED)) {
      const before = along(grasp.pose, -STANDOFF_M);
      const first = driver.solvePose(before, withGripper(options.home, view));
      const reach = first && driver.solveLine(before, grasp.pose, first);
      if (!reach) continue;
      if (left-- > 0) continue;
      return { grasp, before, reach };
    }
  }
  return options.skip > 0 ? planGrasp(driver, object, { ...options, skip: 0 }) : undefined;
}

function rank(
  view: GripperView,
  grasps: readonly Grasp[],
  others: readonly ViewObject[],
  { reachYawRad }: GraspOptions,
  clearanceM: number,
): Grasp[] {
  const here = view.endEffector();
  return grasps
    .filter(({ widthM }) => widthM + SLACK_M <= view.gripper.openingM)
    .map((grasp) => {
      const { pose, style } = grasp;
      const clearance = handClearance(
        pose,
        style,
        view.gripper.openingM,
        STANDOFF_M,
        reachYawRad,
        others,
      );
      const turn = style === "level" ? Math.abs(twist(pose, reachYawRad)) : turnBetween(pose, here);
      return {
        grasp,
        clearance,
        score: Math.min(clearance, ENOUGH_CLEARANCE_M) - TURN_COST_M * turn - grasp.widthM / 10,
      };
    })
    .filter(({ clearance }) => clearance > clearanceM)
    .sort((a, b) => b.score - a.score)
    .map(({ grasp }) => grasp);
}

/** Angle in radians between the rotations of two poses. */
function turnBetween({ rotation_wxyz: a }: Pose3, { rotation_wxyz: b }: Pose3): number {
  const inner = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  return 2 * Math.acos(Math.min(1, Math.abs(inner)));
}

function withGripper(joints: readonly number[], view: GripperView): readonly number[] {
  const now = view.joints()[view.gripperDof] as number;
  return joints.map((value, i) => (i === view.gripperDof ? now : value));
}

import type { ManipulationView, ViewObject } from "../../core/interfaces/manipulation-view.js";
import { distance3 } from "../../core/math/vec3.js";
import { boxAround } from "./clearance.js";
import type { Driver, Script } from "./driver.js";
import { objectNamed } from "./goals.js";
import type { GraspStyle } from "./grasps.js";
import { type GraspPlan, planGrasp } from "./plan-grasp.js";
import { along, atHeight } from "./pose.js";

/** How this robot grasps, determined at the start of an episode. */
export interface GraspStrategy {
  readonly styles: readonly GraspStyle[];
  readonly reachYawRad: number;
  readonly home: readonly number[];
}

/**
 * Share of full speed for carrying an object held from above. Twenty commands per second jerk the object, and at full
 * speed each jerk shifts it between the fingers.
 */
export const HANGING_PACE = 0.35;

export interface Held {
  readonly style: GraspStyle;
}

const CLOSE_STEPS = 16;
const OPEN_STEPS = 10;
/** The hand is blocked if it ends this far from its target, in metres. */
const BLOCKED_M = 0.03;
/** Minimum force on each finger for a firm grasp, in newtons. */
const FIRM_N = 0.5;
/** Clearance of the hand and the carried object above obstacles, in metres. */
const OVER_M = 0.03;
/** Extent of a level hand below its centre, in metres. */
const HAND_BELOW_M = 0.03;

/** Grasps an object and lifts it above all others. Skips the first `failed` grasps. */
export function* pick(
  driver: Driver,
  name: string,
  strategy: GraspStrategy,
  liftM: number,
  failed: number,
): Script<Held | "missed" | "unreachable"> {
  const { view } = driver;
  driver.phase = "approach";
  yield* driver.grip(1, driver.isOpen() ? 0 : OPEN_STEPS);
  const object = objectNamed(view, name);
  const plan = planGrasp(driver, object, { ...strategy, skip: failed });
  if (!plan) return "unreachable";
  if (!(yield* approach(driver, plan))) return "unreachable";

  driver.phase = "reach";
  yield* driver.follow(plan.reach, { pace: 0.5 });
  if (distance3(view.endEffector().position, plan.grasp.pose.position) > BLOCKED_M) {
    yield* release(driver, plan.grasp.style);
    return "missed";
  }
  driver.phase = "close";
  yield* driver.grip(0, CLOSE_STEPS);
  if (Math.min(...view.fingerForces(name)) < FIRM_N) {
    yield* release(driver, plan.grasp.style);
    return "missed";
  }
  driver.phase = "lift";
  const before = objectNamed(view, name).position[2];
  yield* lift(driver, name, liftM, plan.grasp.style === "down" ? HANGING_PACE : 0.8);
  if (objectNamed(view, name).position[2] - before < liftM / 2) {
    yield* release(driver, plan.grasp.style);
    return "missed";
  }
  return { style: plan.grasp.style };
}

/** Moves up, across above all objects, then down to the standoff pose. */
function* approach(driver: Driver, { before, grasp }: GraspPlan): Script<boolean> {
  const { view } = driver;
  const here = view.endEffector();
  const high = Math.max(heightOver(view, grasp.style), before.position[2], here.position[2]);
  yield* driver.moveTo(atHeight(here, high));
  yield* driver.moveTo(atHeight(before, high));
  driver.phase = "pregrasp";
  return yield* driver.moveTo(before);
}

/** Height of the hand's centre at which the hand passes above all objects. */
export function heightOver(view: ManipulationView, style: GraspStyle): number {
  return highest(view.objects()) + (style === "level" ? OVER_M + HAND_BELOW_M : OVER_M);
}

/** Moves straight up until the held object is above all others. */
function* lift(driver: Driver, name: string, liftM: number, pace: number): Script<void> {
  const { view } = driver;
  const object = objectNamed(view, name);
  const here = view.endEffector();
  const bottom = object.position[2] - boxAround(object).half[2];
  const others = view.objects().filter((other) => other.name !== name);
  const rise = Math.max(liftM, highest(others) + OVER_M - bottom);
  yield* driver.moveTo(atHeight(here, here.position[2] + rise), { pace });
}

/** Opens the gripper and backs out along the fingers. */
export function* release(driver: Driver, style: GraspStyle): Script<void> {
  driver.phase = "open";
  yield* driver.grip(1, OPEN_STEPS);
  driver.phase = "retreat";
  yield* driver.moveTo(along(driver.view.endEffector(), style === "level" ? -0.13 : -0.1), {
    pace: 0.6,
  });
}

function highest(objects: readonly ViewObject[]): number {
  return objects.reduce((top, object) => {
    return Math.max(top, object.position[2] + boxAround(object).half[2]);
  }, Number.NEGATIVE_INFINITY);
}

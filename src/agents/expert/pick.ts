import type { ViewObject } from "../../core/interfaces/manipulation-view.js";
import { distance3 } from "../../core/math/vec3.js";
import { boxAround } from "./clearance.js";
import type { Driver, Script } from "./driver.js";
import { objectNamed } from "./goals.js";
import type { GraspStyle } from "./grasps.js";
import { type GraspPlan, planGrasp } from "./plan-grasp.js";
import { along, atHeight } from "./pose.js";

/** What a robot is found to be like at the start of an episode. */
export interface Habits {
  readonly styles: readonly GraspStyle[];
  readonly reachYawRad: number;
  readonly home: readonly number[];
}

/**
 * Share of full speed at which something is carried that hangs from the fingers: twenty commands a second are
 * twenty jerks a second, and at full speed each of them moves it a little between the fingers.
 */
export const HANGING_PACE = 0.35;

export interface Held {
  readonly style: GraspStyle;
}

const CLOSE_STEPS = 16;
const OPEN_STEPS = 10;
/** Something was in the way when the hand is this far from where it should be: metres. */
const BLOCKED_M = 0.03;
/** Newtons on each finger from which a grasp is believed. */
const FIRM_N = 0.5;
/** Metres between what the hand carries, or the hand, and whatever it passes over. */
const OVER_M = 0.03;
/** A level hand reaches this far below its middle. */
const HAND_BELOW_M = 0.03;

/** Takes hold of an object and lifts it above everything else. `failed` grasps are not tried again at once. */
export function* pick(
  driver: Driver,
  name: string,
  habits: Habits,
  liftM: number,
  failed: number,
): Script<Held | "missed" | "unreachable"> {
  const { view } = driver;
  driver.phase = "approach";
  yield* driver.grip(1, driver.isOpen() ? 0 : OPEN_STEPS);
  const object = objectNamed(view, name);
  const plan = planGrasp(driver, object, { ...habits, skip: failed });
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

/** Up, across above everything, down to the standoff. */
function* approach(driver: Driver, { before, grasp }: GraspPlan): Script<boolean> {
  const { view } = driver;
  const overM = grasp.style === "level" ? OVER_M + HAND_BELOW_M : OVER_M;
  const here = view.endEffector();
  const high = Math.max(highest(view.objects()) + overM, before.position[2], here.position[2]);
  yield* driver.moveTo(atHeight(here, high));
  yield* driver.moveTo(atHeight(before, high));
  driver.phase = "pregrasp";
  return yield* driver.moveTo(before);
}

/** Straight up until what hangs from the hand is above all that stands around. */
function* lift(driver: Driver, name: string, liftM: number, pace: number): Script<void> {
  const { view } = driver;
  const object = objectNamed(view, name);
  const here = view.endEffector();
  const bottom = object.position[2] - boxAround(object).half[2];
  const others = view.objects().filter((other) => other.name !== name);
  const rise = Math.max(liftM, highest(others) + OVER_M - bottom);
  yield* driver.moveTo(atHeight(here, here.position[2] + rise), { pace });
}

/** Opens and backs out along the fingers. */
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

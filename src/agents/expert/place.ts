import type { Pose3, ViewObject } from "../../core/interfaces/manipulation-view.js";
import { aboutAxis, multiply, rotate } from "../../core/math/quat-wxyz.js";
import { subtract, type Vec3 } from "../../core/math/vec3.js";
import type { Driver, Script } from "./driver.js";
import { objectNamed } from "./goals.js";
import { handClearance, twist } from "./hand-clearance.js";
import { type GraspStrategy, HANGING_PACE, type Held, release } from "./pick.js";
import { STANDOFF_M } from "./plan-grasp.js";
import { atHeight, flatDistance, raised, shifted, toLocal } from "./pose.js";

/** Hand rotations tried for placing, in radians relative to the grasp. */
const TURNS = Array.from({ length: 12 }, (_, i) => (i + 1) * (Math.PI / 12)).flatMap((turn) => [
  turn,
  -turn,
]);
/** Height above the target at which the position is corrected once more. */
const HOVER_M = 0.03;
/** Horizontal error that needs no correction, in metres. */
const EXACT_M = 0.004;
/**
 * The object is down within this distance of its target height, or if the hand sinks this much farther than the
 * object.
 */
const DOWN_M = 0.002;
const SLIP_M = 0.006;
/** Total finger force below which nothing is held, in newtons. */
const GONE_N = 0.05;
/** Poses with less clearance than this are used only if no other exists. */
const CLEARANCE_M = 0.01;

/** Moves the held object to a place and releases it. Returns false if it was dropped or the place is out of reach. */
export function* place(
  driver: Driver,
  name: string,
  held: Held,
  strategy: GraspStrategy,
  target: () => Vec3,
  base: string | undefined,
): Script<boolean> {
  const { view } = driver;
  driver.phase = "transfer";
  const inHand = toLocal(view.endEffector(), objectNamed(view, name).position);
  const lost = () => Math.max(...view.fingerForces(name)) < GONE_N;
  const others = view.objects().filter((other) => other.name !== name && other.name !== base);
  const goal = putDownPose(driver, inHand, held, strategy, target(), others);
  if (!goal) {
    yield* release(driver, held.style);
    return false;
  }
  const high = view.endEffector().position[2];
  yield* driver.moveTo(atHeight(goal, Math.max(high, goal.position[2])), {
    until: lost,
    pace: held.style === "down" ? HANGING_PACE : 1,
  });
  if (lost()) return false;

  driver.phase = "lower";
  const wanted = target();
  yield* driver.moveTo(above(driver, name, wanted, HOVER_M), { pace: 0.8, until: lost });
  for (let i = 0; i < 3; i++) {
    if (flatDistance(objectNamed(view, name).position, wanted) < EXACT_M) break;
    yield* driver.moveTo(above(driver, name, wanted, HOVER_M), { pace: 0.5 });
  }
  if (lost()) return false;
  const hanging = view.endEffector().position[2] - objectNamed(view, name).position[2];
  yield* driver.moveTo(above(driver, name, wanted, -SLIP_M), {
    pace: 0.35,
    until: () => {
      const z = objectNamed(view, name).position[2];
      return z <= wanted[2] + DOWN_M || hanging - (view.endEffector().position[2] - z) > SLIP_M;
    },
  });
  yield* release(driver, held.style);
  const out = view.endEffector();
  yield* driver.moveTo(raised(out, held.style === "level" ? 0.05 : 0.02));
  return true;
}

/** Hand pose that puts the object `heightM` above a place, from its current pose in the hand. */
function above({ view }: Driver, name: string, place: Vec3, heightM: number): Pose3 {
  const off = subtract(place, objectNamed(view, name).position);
  return shifted(view.endEffector(), [off[0], off[1], off[2] + heightM]);
}

/** The smallest hand rotation that has clearance and is reachable all the way down. */
function putDownPose(
  driver: Driver,
  inHand: Vec3,
  { style }: Held,
  strategy: GraspStrategy,
  target: Vec3,
  others: readonly ViewObject[],
): Pose3 | undefined {
  const { view } = driver;
  const here = view.endEffector();
  const poses = [0, ...TURNS].map((turn): Pose3 => {
    const rotation_wxyz = multiply(aboutAxis([0, 0, 1], turn), here.rotation_wxyz);
    return { position: subtract(target, rotate(rotation_wxyz, inHand)), rotation_wxyz };
  });
  const clearance = (pose: Pose3) =>
    handClearance(pose, style, view.gripper.openingM, STANDOFF_M, strategy.reachYawRad, others);
  const twisted = (pose: Pose3) =>
    style === "level" ? Math.abs(twist(pose, strategy.reachYawRad)) : 0;
  const free = poses
    .filter((pose) => clearance(pose) > CLEARANCE_M)
    .sort((a, b) => Math.round((twisted(a) - twisted(b)) * 2));
  return [...free, ...poses].find((pose) => {
    const from = strategy.home.map((value, i) => {
      return i === view.gripperDof ? (driver.command[i] as number) : value;
    });
    const start = driver.solvePose(raised(pose, HOVER_M), from);
    return start && driver.solveLine(raised(pose, HOVER_M), pose, start) !== undefined;
  });
}

import type { Pose3, ViewObject } from "../../core/interfaces/manipulation-view.js";
import { aboutAxis, multiply, rotate } from "../../core/math/quat-wxyz.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { Driver, Script } from "./driver.js";
import { objectNamed } from "./goals.js";
import { handRoom, twist } from "./hand-room.js";
import { HANGING_PACE, type Habits, type Held, release } from "./pick.js";
import { STANDOFF_M } from "./plan-grasp.js";
import { atHeight, flatDistance, raised, shifted, subtract, toLocal } from "./pose.js";

/** Turns of the hand that are tried for putting down, in radians from how it was taken up. */
const TURNS = Array.from({ length: 12 }, (_, i) => (i + 1) * (Math.PI / 12)).flatMap((turn) => [
  turn,
  -turn,
]);
/** Above the target by this much the position is corrected once more. */
const HOVER_M = 0.03;
/** Metres in the plane that are not worth a correction. */
const EXACT_M = 0.004;
/** The object is down when it is this near to its height, or when the hand sinks this much further than it. */
const DOWN_M = 0.002;
const SLIP_M = 0.006;
/** Newtons of both fingers below which nothing is between them. */
const GONE_N = 0.05;
/** Less room than this to other objects makes a pose second choice. */
const ROOM_M = 0.01;

/** Brings what is held to a place and lets go. False when it was dropped or the place is out of reach. */
export function* place(
  driver: Driver,
  name: string,
  held: Held,
  habits: Habits,
  target: () => Vec3,
  base: string | undefined,
): Script<boolean> {
  const { view } = driver;
  driver.phase = "transfer";
  const inHand = toLocal(view.endEffector(), objectNamed(view, name).position);
  const lost = () => Math.max(...view.fingerForces(name)) < GONE_N;
  const others = view.objects().filter((other) => other.name !== name && other.name !== base);
  const goal = putDownPose(driver, inHand, held, habits, target(), others);
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

/** The hand's pose that brings the object to `heightM` above a place, by where it is in the hand now. */
function above({ view }: Driver, name: string, place: Vec3, heightM: number): Pose3 {
  const off = subtract(place, objectNamed(view, name).position);
  return shifted(view.endEffector(), [off[0], off[1], off[2] + heightM]);
}

/** The first turn of the hand, by how little it turns, that has room and can be reached all the way down. */
function putDownPose(
  driver: Driver,
  inHand: Vec3,
  { style }: Held,
  habits: Habits,
  target: Vec3,
  others: readonly ViewObject[],
): Pose3 | undefined {
  const { view } = driver;
  const here = view.endEffector();
  const poses = [0, ...TURNS].map((turn): Pose3 => {
    const rotation_wxyz = multiply(aboutAxis([0, 0, 1], turn), here.rotation_wxyz);
    return { position: subtract(target, rotate(rotation_wxyz, inHand)), rotation_wxyz };
  });
  const room = (pose: Pose3) =>
    handRoom(pose, style, view.gripper.openingM, STANDOFF_M, habits.reachYawRad, others);
  const twisted = (pose: Pose3) =>
    style === "level" ? Math.abs(twist(pose, habits.reachYawRad)) : 0;
  const free = poses
    .filter((pose) => room(pose) > ROOM_M)
    .sort((a, b) => Math.round((twisted(a) - twisted(b)) * 2));
  return [...free, ...poses].find((pose) => {
    const from = habits.home.map((value, i) => {
      return i === view.gripperDof ? (driver.command[i] as number) : value;
    });
    const start = driver.solvePose(raised(pose, HOVER_M), from);
    return start && driver.solveLine(raised(pose, HOVER_M), pose, start) !== undefined;
  });
}

import { DataError } from "../../../core/errors.js";
import type { Action } from "../../../core/interfaces/action.js";
import type {
  GripperView,
  Pose3,
  ViewBase,
  ViewObject,
  ViewPlace,
  ViewReceptacle,
} from "../../../core/interfaces/manipulation-view.js";
import { aboutAxis, multiply, rotate } from "../../../core/math/quat-wxyz.js";
import { wrapAngle } from "../../../core/math/rotation.js";
import { subtract, type Vec3 } from "../../../core/math/vec3.js";
import { isRecord } from "../../../core/record.js";
import type { Driver } from "../driver.js";
import { nameIn, objectNamed } from "../goals.js";
import { flatDistance } from "../pose.js";
import { Arm, type ArmDofs, type ArmJoints, type FlatPose, inBase } from "./arm.js";
import { FloorGrid } from "./floor-grid.js";
import { type ArmGrasp, armGrasps, heights } from "./grasp-plan.js";
import { freeSpots, type Spot } from "./put-down-plan.js";
import { planRoute } from "./route.js";

/** Tries to grasp the object before the expert gives up. */
const TRIES = 6;
/** Plans on one way: the base drifts by a few centimetres in twenty actions, and contacts end actions early. */
const PLANS = 40;
/** Distance between base and work within which a pose is examined. */
const WORK_M = 1.05;
/** The base counts as being where it was planned within this distance and angle. */
const OFF_M = 0.05;
const OFF_RAD = 0.06;
/** Poses nearer to one that failed than this are not tried again. */
const TRIED_M = 0.25;
const TRIED_RAD = 0.4;
/** Height of the hand over the base while the robot drives. */
const CARRY_LIFT_M = 0.65;
/** Steps for which the head looks at its target: conditions may have to hold for ten. */
const LOOK_STEPS = 14;
const CLOSE_STEPS = 16;
const OPEN_STEPS = 10;
const REST_STEPS = 30;
/** Least force of each finger on a held object, in newtons. */
const FIRM_N = 0.5;
const GONE_N = 0.05;
/** Half the width of the hand, and the room above the arm. */
const ARM_HALF_M = 0.06;
const ARM_ROOM_M = 0.08;
/** The robot itself, with its hand folded back, is within this distance. */
const ROBOT_M = 0.36;
/** Share of the usual pace with an object that hangs on its rim, which jerks turn between the fingers. */
const HANGING_PACE = 0.4;
/** Height of the head's camera. */
const EYE_M = 1.33;

/** Yields one action and returns its result; resumed when the action is done. */
type Script<T> = Generator<Action, T, void>;

type Where = "picked" | "missed" | "unreachable";

/** Carries an object through an apartment: dock, look, pick, dock, look, place. */
export class Rearranger {
  readonly #driver: Driver;
  readonly #view: GripperView;
  readonly #base: ViewBase;
  readonly #place: ViewPlace;
  readonly #dofs: ArmDofs & { readonly pan: number; readonly tilt: number };
  readonly #arm: Arm;
  readonly #grid: FloorGrid;
  /** Share of the usual pace. */
  #pace = 1;
  /** Docks at which a grasp failed. */
  readonly #tried: FlatPose[] = [];

  constructor(driver: Driver, names: readonly (string | undefined)[]) {
    const { view } = driver;
    const { base, place } = view;
    if (!base || !place) {
      throw new DataError("no_apartment", "the expert rearranges objects in apartments only", {
        hint: 'episodes have a scene_id such as "apartment/7"',
      });
    }
    this.#driver = driver;
    this.#view = view;
    this.#base = base;
    this.#place = place;
    const dof = (name: string) => names.indexOf(name);
    this.#dofs = {
      lift: dof("lift"),
      arm: dof("arm"),
      yaw: dof("wrist_yaw"),
      pitch: dof("wrist_pitch"),
      pan: dof("head_pan"),
      tilt: dof("head_tilt"),
    };
    this.#arm = new Arm(
      (joints) => intoBase(base.handAt(this.#withArm(view.joints(), joints)), base.pose()[2]),
      (joint) => view.limits[this.#dofs[joint]] ?? [0, 0],
    );
    this.#grid = gridOf(place);
  }

  *run(): Script<void> {
    const { goals } = this.#view;
    const name = nameIn(this.#view, "target_object");
    const target = isRecord(goals.target_location) ? goals.target_location.receptacle : undefined;
    const goal = this.#place.receptacles.find((one) => one.name === target);
    if (!goal) throw new DataError("bad_goals", `there is no receptacle "${String(target)}"`);
    yield* this.#stow();
    for (let i = 0; i < TRIES; i++) {
      const picked = yield* this.#fetch(name, i);
      if (picked === "unreachable") break;
      if (picked === "missed") continue;
      const placed = yield* this.#deliver(name, goal);
      yield* this.#driver.hold(REST_STEPS);
      if (placed) break;
    }
    yield* this.#driver.hold(REST_STEPS);
  }

  /** Drives to the object and picks it up. */
  *#fetch(name: string, tries: number): Script<Where> {
    const driver = this.#driver;
    const object = () => objectNamed(this.#view, name);
    const docked = yield* this.#dock(object().position, (pose) =>
      this.#isTried(pose) ? undefined : this.#graspsFrom(pose, object())[0]?.costS,
    );
    if (!docked) return "unreachable";
    yield* this.#look(object().position);
    const grasps = this.#graspsFrom(this.#base.pose(), object());
    const grasp = grasps[tries % Math.max(1, grasps.length)];
    if (!grasp) return "missed";
    if (yield* this.#pick(name, grasp)) return "picked";
    this.#tried.push(this.#base.pose());
    driver.phase = "retreat";
    this.#pace = 1;
    yield* driver.grip(1, OPEN_STEPS);
    yield* this.#raise(grasp.hover.lift);
    yield* this.#stow();
    return "missed";
  }

  #graspsFrom(base: FlatPose, object: ViewObject): ArmGrasp[] {
    const { position } = object;
    return armGrasps(this.#arm, base, object).filter(({ hover, at }) =>
      this.#isArmClear(base, position, hover, hover.lift - at.lift),
    );
  }

  /**
   * Whether arm and hand have room above a point: over the way from the base, and over the point. The object stands on
   * it, so that a line starts `aboveM` higher.
   */
  #isArmClear(base: FlatPose, [x, y, z]: Vec3, hover: ArmJoints, aboveM: number): boolean {
    const armM = this.#arm.heightM(hover);
    const top: Vec3 = [x, y, Math.max(armM, z + aboveM) + ARM_ROOM_M];
    const back = Math.hypot(base[0] - x, base[1] - y);
    const share = Math.max(0, back - ROBOT_M) / back;
    return [-ARM_HALF_M, ARM_HALF_M].every((aside) => {
      const [sx, sy] = [(-aside * (base[1] - y)) / back, (aside * (base[0] - x)) / back];
      const near: Vec3 = [x + sx + share * (base[0] - x), y + sy + share * (base[1] - y), armM];
      const over: Vec3 = [x + sx, y + sy, armM];
      return this.#place.isClear(over, near) && this.#place.isClear(top, over);
    });
  }

  *#pick(name: string, { hover, at }: ArmGrasp): Script<boolean> {
    const driver = this.#driver;
    driver.phase = "reach";
    yield* driver.grip(1, driver.isOpen() ? 0 : OPEN_STEPS);
    yield* this.#swing(hover);
    yield* this.#moveArm(hover);
    driver.phase = "lower";
    yield* this.#moveArm(at, 0.6);
    driver.phase = "close";
    yield* driver.grip(0, CLOSE_STEPS);
    if (!this.#holds(name, FIRM_N)) return false;
    const { position, grasp } = objectNamed(this.#view, name);
    const before = position[2];
    this.#pace = grasp?.kind === "rim" ? HANGING_PACE : 1;
    driver.phase = "lift";
    yield* this.#raise(hover.lift, 0.6);
    if (objectNamed(this.#view, name).position[2] - before < 0.02) return false;
    // The condition of a lifted object has to hold.
    yield* driver.hold(LOOK_STEPS);
    yield* this.#retract();
    return this.#holds(name, GONE_N);
  }

  /** Carries the held object to the receptacle and puts it down. False if it was lost on the way. */
  *#deliver(name: string, goal: ViewReceptacle): Script<boolean> {
    const driver = this.#driver;
    yield* this.#stow();
    const held = () => this.#holds(name, GONE_N);
    const object = objectNamed(this.#view, name);
    const radius = Math.hypot(object.sizeM[0], object.sizeM[1]) / 2;
    const others = this.#view.objects().filter((one) => one.name !== name);
    const spots = freeSpots(goal.surfaces, radius, others);
    const middle = goal.surfaces[0]?.centre;
    if (!middle || spots.length === 0) return false;
    const inHand = this.#inHand(name);
    const docked = yield* this.#dock(
      middle,
      (pose) => this.#putDowns(pose, spots, inHand)[0]?.costS,
      Math.max(...goal.surfaces.map(({ sizeM }) => Math.hypot(...sizeM) / 2)),
    );
    if (!docked || !held()) return false;
    const [best] = this.#putDowns(this.#base.pose(), spots, inHand);
    if (!best) return false;
    yield* this.#look(best.spot.position);
    driver.phase = "transfer";
    yield* this.#swing(best.hover);
    yield* this.#moveArm(best.hover, 0.6, () => !held());
    if (!held()) return false;
    driver.phase = "put down";
    const bottom = () => heights(objectNamed(this.#view, name)).bottomM;
    const hanging = () => this.#view.endEffector().position[2] - bottom();
    const before = hanging();
    yield* this.#moveArm(
      best.at,
      0.35,
      () => bottom() < best.spot.position[2] + 0.003 || before - hanging() > 0.006,
    );
    driver.phase = "open";
    this.#pace = 1;
    yield* driver.grip(1, OPEN_STEPS);
    yield* driver.hold(4);
    driver.phase = "retreat";
    yield* this.#raise(best.hover.lift, 0.6);
    yield* this.#retract();
    const { position } = objectNamed(this.#view, name);
    return flatDistance(position, best.spot.position) < 0.2 && position[2] > best.spot.position[2];
  }

  /** Arm joints over and at free places, the best first. */
  #putDowns(base: FlatPose, spots: readonly Spot[], { below, offset, turn }: InHand) {
    const pitch = this.#armNow().pitch;
    return spots
      .flatMap((spot) => {
        const [x, y, z] = spot.position;
        if (Math.hypot(x - base[0], y - base[1]) > WORK_M) return [];
        const at = (height: number): ArmJoints | undefined => {
          let joints = this.#arm.solve(inBase(base, [x, y, height]), pitch);
          // The object is beside the grasp, on a side that depends on the wrist.
          for (let i = 0; joints && i < 3; i++) {
            const shift = rotated(offset, base[2] + joints.yaw - turn);
            joints = this.#arm.solve(inBase(base, [x - shift[0], y - shift[1], height]), pitch);
          }
          return joints;
        };
        const [down, over] = [at(z + below + 0.002), at(z + below + 0.08)];
        if (!down || !over || !this.#isArmClear(base, spot.position, over, below)) return [];
        return [
          { spot, at: down, hover: over, costS: 3 * Math.abs(down.yaw) - 20 * spot.insideM + 3 },
        ];
      })
      .sort((a, b) => a.costS - b.costS);
  }

  /** How the held object hangs: below the grasp, and beside it in world axes at the hand's present heading. */
  #inHand(name: string): InHand {
    const object = objectNamed(this.#view, name);
    const hand = this.#view.endEffector().position;
    const [dx, dy] = subtract(object.position, hand);
    return {
      below: hand[2] - heights(object).bottomM,
      offset: [dx, dy],
      turn: this.#base.pose()[2] + this.#armNow().yaw,
    };
  }

  /** Drives to a pose for which `costAt` gives a cost; false if there is none. */
  *#dock(
    target: Vec3,
    costAt: (pose: FlatPose) => number | undefined,
    extentM = 0,
  ): Script<boolean> {
    const { forwardStepM, turnRad } = this.#base;
    this.#driver.phase = "drive";
    const remaining = this.#grid.distancesFrom(target[0], target[1], WORK_M + extentM);
    const useful = (pose: FlatPose) =>
      Math.hypot(target[0] - pose[0], target[1] - pose[1]) <= WORK_M + extentM
        ? costAt(pose)
        : undefined;
    for (let i = 0; i < PLANS; i++) {
      const from = this.#base.pose();
      const route = planRoute({
        grid: this.#grid,
        from,
        remaining,
        costAt: useful,
        forwardStepM,
        turnRad,
      });
      if (!route) return false;
      if (yield* this.#follow(route.moves, route.poses)) {
        if (useful(this.#base.pose()) !== undefined) return true;
      }
    }
    return false;
  }

  /** Executes actions until the base is not where they should lead. */
  *#follow(moves: readonly string[], poses: readonly FlatPose[]): Script<boolean> {
    for (const [i, move] of moves.entries()) {
      yield move;
      const [x, y, theta] = this.#base.pose();
      const [toX, toY, toTheta] = poses[i + 1] ?? [x, y, theta];
      const isOff =
        Math.hypot(toX - x, toY - y) > OFF_M || Math.abs(wrapAngle(toTheta - theta)) > OFF_RAD;
      if (isOff) return false;
    }
    return true;
  }

  #isTried([x, y, theta]: FlatPose): boolean {
    return this.#tried.some(
      ([atX, atY, atTheta]) =>
        Math.hypot(x - atX, y - atY) < TRIED_M && Math.abs(wrapAngle(theta - atTheta)) < TRIED_RAD,
    );
  }

  /** Turns the head's camera to a point. */
  *#look(point: Vec3): Script<void> {
    this.#driver.phase = "look";
    const [x, y, z] = inBase(this.#base.pose(), point);
    const { pan, tilt } = this.#dofs;
    const [low = -Math.PI, high = Math.PI] = this.#view.limits[pan] ?? [];
    const angle = Math.atan2(y, x);
    const turned = [angle, angle - 2 * Math.PI, angle + 2 * Math.PI].find(
      (value) => value >= low && value <= high,
    );
    yield* this.#driver.follow([
      this.#driver.command.map((value, i) => {
        if (i === pan) return turned ?? value;
        return i === tilt ? Math.atan2(z - EYE_M, Math.hypot(x, y)) : value;
      }),
    ]);
    yield* this.#driver.hold(LOOK_STEPS);
  }

  /** Folds the hand back over the base, so that the robot fits through doors. */
  *#stow(): Script<void> {
    this.#driver.phase = "stow";
    const now = this.#armNow();
    yield* this.#retract();
    yield* this.#moveArm({ ...now, arm: 0, yaw: Math.PI }, 0.7);
    if (now.lift < CARRY_LIFT_M) yield* this.#raise(CARRY_LIFT_M);
  }

  /** Raises the folded hand, then turns it out. */
  *#swing({ lift, yaw, pitch }: ArmJoints): Script<void> {
    yield* this.#raise(lift, 0.7);
    yield* this.#moveArm({ lift, arm: 0, yaw, pitch }, 0.7);
  }

  *#raise(lift: number, pace = 1): Script<void> {
    yield* this.#moveArm({ ...this.#armNow(), lift }, pace);
  }

  *#retract(): Script<void> {
    yield* this.#moveArm({ ...this.#armNow(), arm: 0 }, 0.7);
  }

  *#moveArm(joints: ArmJoints, pace = 1, until?: () => boolean): Script<void> {
    yield* this.#driver.follow([this.#withArm(this.#driver.command, joints)], {
      pace: pace * this.#pace,
      ...(until ? { until } : {}),
    });
  }

  #armNow(): ArmJoints {
    const { command } = this.#driver;
    const { lift, arm, yaw, pitch } = this.#dofs;
    return {
      lift: command[lift] ?? 0,
      arm: command[arm] ?? 0,
      yaw: command[yaw] ?? 0,
      pitch: command[pitch] ?? 0,
    };
  }

  #withArm(all: readonly number[], joints: ArmJoints): number[] {
    const { lift, arm, yaw, pitch } = this.#dofs;
    return all.map((value, i) => {
      if (i === lift) return joints.lift;
      if (i === arm) return joints.arm;
      if (i === yaw) return joints.yaw;
      return i === pitch ? joints.pitch : value;
    });
  }

  #holds(name: string, forceN: number): boolean {
    return Math.min(...this.#view.fingerForces(name)) > forceN;
  }
}

interface InHand {
  readonly below: number;
  readonly offset: readonly [x: number, y: number];
  /** Heading of the hand at which `offset` was measured. */
  readonly turn: number;
}

/** Sampling the floor takes most of a plan's time, so it is kept as long as its apartment. */
const grids = new WeakMap<object, FloorGrid>();

function gridOf(place: ViewPlace): FloorGrid {
  const known = grids.get(place.floor);
  if (known) return known;
  const grid = new FloorGrid(place.floor.box, place.floor.isFree);
  grids.set(place.floor, grid);
  return grid;
}

/** A pose relative to the base, in its axes instead of those of the world. */
function intoBase({ position, rotation_wxyz }: Pose3, theta: number): Pose3 {
  const back = aboutAxis([0, 0, 1], -theta);
  return { position: rotate(back, position), rotation_wxyz: multiply(back, rotation_wxyz) };
}

function rotated([x, y]: readonly [number, number], angle: number): readonly [number, number] {
  const [rx, ry] = rotate(aboutAxis([0, 0, 1], angle), [x, y, 0]);
  return [rx, ry];
}

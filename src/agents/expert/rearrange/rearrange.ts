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
import { type Approach, ArmClearance } from "./arm-clearance.js";
import { FloorGrid } from "./floor-grid.js";
import {
  type ArmGrasp,
  armGrasps,
  BESIDE_M,
  type DrawerWork,
  heights,
  radiusOf,
} from "./grasp-plan.js";
import { FROM_BAR_M, pullOf } from "./pull-plan.js";
import { freeSpots, type Spot } from "./put-down-plan.js";
import { planRoute } from "./route.js";
import { isBeside, isOn, overEdge, rotated } from "./surfaces.js";

/** Maximum number of attempts to grasp the object. */
const TRIES = 6;
/** Maximum number of plans for one drive: the base drifts by centimetres in twenty actions, and contacts end actions early. */
const PLANS = 40;
/** Maximum distance between the base and the point where the hand works. */
const WORK_M = 1.05;
/** A route is planned anew when the base is farther from its planned pose than this. */
const DEVIATION_M = 0.05;
const DEVIATION_RAD = 0.06;
/** Poses within this distance and angle of a pose that failed are not tried again. */
const TRIED_M = 0.25;
const TRIED_RAD = 0.4;
/** Height of the hand over the base while the robot drives. */
const CARRY_LIFT_M = 0.65;
/** Steps for which the head looks at its target: conditions may have to hold for ten. */
const LOOK_STEPS = 14;
const CLOSE_STEPS = 16;
const OPEN_STEPS = 10;
const REST_STEPS = 30;
/** Least force of each finger, in newtons, for an object to count as grasped when the hand closes. */
const GRASPED_N = 0.5;
/** Below this force, in newtons, an object that was grasped counts as lost. */
const LOST_N = 0.05;
/** Heights above its spot from which a held object is lowered; the second is for spots near the top of the lift. */
const LOWER_M = [0.08, 0.04] as const;
/** Maximum distance of a held object from its spot at which the hand opens. */
const OFF_SPOT_M = 0.05;
/** Cost in seconds of raising the hand by a metre. */
const RAISE_COST_S = 10;
/** Factor of the pace with an object held by its rim, which jerks would turn between the fingers. */
const HANGING_PACE = 0.4;
/** A drawer that is open by less than this share has no room for an object. */
const CLOSED = 0.5;
/** Height of the head's camera. */
const EYE_M = 1.33;

/** Yields one action and returns its result; resumed when the action is done. */
type Script<T> = Generator<Action, T, void>;

type PickResult = "picked" | "missed" | "unreachable";

/** A collision-free motion of the arm. */
interface OnWay {
  /** Height of the lift at which the hand turns out, the arm extends, and both withdraw. */
  readonly lift: number;
}

/** Carries an object through an apartment: dock, look, pick, dock, look, place. */
export class Rearranger {
  readonly #driver: Driver;
  readonly #view: GripperView;
  readonly #base: ViewBase;
  readonly #place: ViewPlace;
  readonly #dofs: ArmDofs & { readonly pan: number; readonly tilt: number };
  readonly #arm: Arm;
  readonly #clearance: ArmClearance;
  #grid: FloorGrid;
  /** Current factor of the arm's usual pace. */
  #pace = 1;
  /** Poses of the base at which the current pick or placement failed. */
  #tried: FlatPose[] = [];

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
    this.#clearance = new ArmClearance(place, this.#arm);
    this.#grid = gridOf(place);
  }

  *run(): Script<void> {
    const { goals } = this.#view;
    const name = nameIn(this.#view, "target_object");
    const target = isRecord(goals.target_location) ? goals.target_location.receptacle : undefined;
    if (!this.#receptacle(target)) {
      throw new DataError("bad_goals", `there is no receptacle "${String(target)}"`);
    }
    yield* this.#stow();
    for (const { name, opened } of this.#view.fixtures()) {
      if (name === target && opened < CLOSED) yield* this.#pullOpen(name);
    }
    const goal = this.#receptacle(target);
    if (!goal || goal.surfaces.length === 0) return;
    for (let i = 0; i < TRIES; i++) {
      const picked = this.#holds(name, GRASPED_N) ? "picked" : yield* this.#fetch(name, goal, i);
      if (picked === "unreachable") break;
      if (picked === "missed") continue;
      const placed = yield* this.#deliver(name, goal);
      yield* this.#driver.hold(REST_STEPS);
      if (placed) break;
    }
    yield* this.#driver.hold(REST_STEPS);
  }

  /** Drives to a closed drawer and pulls it open by its handle. */
  *#pullOpen(name: string): Script<void> {
    const driver = this.#driver;
    const pulls = (pose: FlatPose) => {
      const drawer = this.#view.fixtures().find((one) => one.name === name);
      const pull = drawer && pullOf(this.#arm, pose, drawer);
      return this.#clearWays(pull ? [pull] : [], ({ hover, at, point }) => ({
        ...{ base: pose, point, hover, at, aboveM: 0, besideM: FROM_BAR_M },
      }));
    };
    const handle = this.#view.fixtures().find((one) => one.name === name)?.handle;
    if (!handle) return;
    const docked = yield* this.#dock(handle.position, (pose) => best(pulls(pose))?.costS);
    const pull = docked && best(pulls(this.#base.pose()));
    if (!pull) return;
    driver.phase = "open drawer";
    yield* driver.grip(1, OPEN_STEPS);
    yield* this.#reachOut(pull.hover, pull.lift, 0.7);
    yield* this.#moveArm(pull.at, 0.4);
    yield* driver.grip(0, CLOSE_STEPS);
    const way = pull.way.map((joints) => this.#withArm(driver.command, joints));
    yield* driver.follow(way, { pace: 0.4 });
    yield* driver.grip(1, OPEN_STEPS);
    driver.phase = "retreat";
    yield* this.#retract();
    yield* this.#stow();
    this.#grid = this.#gridAround(name);
  }

  /** The free floor without that below a drawer, which was closed when the floor was measured. */
  #gridAround(drawer: string): FloorGrid {
    const { box, isFree } = this.#place.floor;
    const surfaces = this.#receptacle(drawer)?.surfaces ?? [];
    return new FloorGrid(box, (x, y) => {
      return isFree(x, y) && surfaces.every((surface) => isBeside(surface, [x, y]));
    });
  }

  /** Drives to the object and picks it up. */
  *#fetch(name: string, goal: ViewReceptacle, tries: number): Script<PickResult> {
    const driver = this.#driver;
    const object = () => objectNamed(this.#view, name);
    const drawer = this.#drawerWork(object(), goal);
    const docked = yield* this.#dock(object().position, (pose) =>
      this.#isTried(pose) ? undefined : best(this.#graspsFrom(pose, object(), drawer))?.costS,
    );
    if (!docked) return "unreachable";
    yield* this.#look(object().position);
    const grasps = [...this.#graspsFrom(this.#base.pose(), object(), drawer)];
    const grasp = grasps[tries % Math.max(1, grasps.length)];
    if (!grasp) return "missed";
    if (yield* this.#pick(name, grasp)) {
      this.#tried = [];
      return "picked";
    }
    this.#tried.push(this.#base.pose());
    driver.phase = "retreat";
    this.#pace = 1;
    yield* driver.grip(1, OPEN_STEPS);
    if (grasp.kind === "beside") yield* this.#moveArm(grasp.hover);
    yield* this.#raise(grasp.lift);
    yield* this.#stow();
    return "missed";
  }

  #receptacle(name: unknown): ViewReceptacle | undefined {
    return this.#place.receptacles.find((one) => one.name === name);
  }

  /** The drawer that the object is in or goes to; undefined if there is none. */
  #drawerWork(object: ViewObject, goal: ViewReceptacle): DrawerWork | undefined {
    const around = this.#place.receptacles
      .flatMap(({ surfaces }) => surfaces)
      .find((surface) => surface.rimM !== undefined && isOn(surface, object.position));
    if (around) return { overM: around.centre[2] + (around.rimM ?? 0) };
    return goal.surfaces.some(({ rimM }) => rimM !== undefined) ? { overM: undefined } : undefined;
  }

  #graspsFrom(base: FlatPose, object: ViewObject, drawer?: DrawerWork) {
    const all = armGrasps(this.#arm, base, object, drawer);
    return this.#clearWays(all, ({ kind, hover, at }) => ({
      ...{ base, point: object.position, hover, at, aboveM: hover.lift - at.lift },
      isInside: drawer?.overM !== undefined,
      ...(kind === "beside" ? { besideM: radiusOf(object) + BESIDE_M } : {}),
    }));
  }

  /** Those to which the arm has a way, each with the lift of that way, the best first. Found on demand: rays are slow. */
  *#clearWays<T extends { readonly costS: number; readonly hover: ArmJoints }>(
    all: readonly T[],
    approachOf: (one: T) => Approach,
  ): Generator<T & OnWay, void> {
    for (const one of all.toSorted((a, b) => a.costS - b.costS)) {
      const lift = this.#clearance.liftFor(approachOf(one));
      if (lift === undefined) continue;
      yield { ...one, lift, costS: one.costS + RAISE_COST_S * (lift - one.hover.lift) };
    }
  }

  *#pick(name: string, { hover, at, raised, lift }: ArmGrasp & OnWay): Script<boolean> {
    const driver = this.#driver;
    driver.phase = "reach";
    yield* driver.grip(1, driver.isOpen() ? 0 : OPEN_STEPS);
    yield* this.#reachOut(hover, lift, 1);
    driver.phase = "lower";
    yield* this.#moveArm(at, 0.6);
    driver.phase = "close";
    yield* driver.grip(0, CLOSE_STEPS);
    if (!this.#holds(name, GRASPED_N)) return false;
    const { position, grasp } = objectNamed(this.#view, name);
    const before = position[2];
    this.#pace = grasp?.kind === "rim" ? HANGING_PACE : 1;
    driver.phase = "lift";
    yield* this.#raise(raised, 0.6);
    if (objectNamed(this.#view, name).position[2] - before < 0.02) return false;
    // The condition of a lifted object has to hold.
    yield* driver.hold(LOOK_STEPS);
    if (lift > raised) yield* this.#raise(lift, 0.6);
    yield* this.#retract();
    return this.#holds(name, LOST_N);
  }

  /** Carries the held object to the receptacle and puts it down. False if it was lost on the way. */
  *#deliver(name: string, planned: ViewReceptacle): Script<boolean> {
    const driver = this.#driver;
    yield* this.#stow();
    // A drawer may have moved.
    const goal = this.#receptacle(planned.name) ?? planned;
    const held = () => this.#holds(name, LOST_N);
    const radius = radiusOf(objectNamed(this.#view, name));
    const others = this.#view.objects().filter((one) => one.name !== name);
    const spots = freeSpots(goal.surfaces, radius, others);
    const middle = goal.surfaces[0]?.centre;
    if (!middle || spots.length === 0) return false;
    const inHand = this.#inHand(name);
    const docked = yield* this.#dock(
      middle,
      (pose) =>
        this.#isTried(pose) ? undefined : best(this.#putDowns(pose, spots, inHand))?.costS,
      Math.max(...goal.surfaces.map(({ sizeM }) => Math.hypot(...sizeM) / 2)),
    );
    if (!docked || !held()) return false;
    const way = best(this.#putDowns(this.#base.pose(), spots, inHand));
    if (!way) return false;
    yield* this.#look(way.spot.position);
    driver.phase = "transfer";
    yield* this.#reachOut(way.hover, way.lift, 0.6, () => !held());
    if (!held()) return false;
    const position = () => objectNamed(this.#view, name).position;
    if (flatDistance(position(), way.spot.position) > OFF_SPOT_M) {
      // The arm was stopped on its way.
      this.#tried.push(this.#base.pose());
      yield* this.#withdraw(way);
      return false;
    }
    driver.phase = "put down";
    const bottom = () => heights(objectNamed(this.#view, name)).bottomM;
    const hanging = () => this.#view.endEffector().position[2] - bottom();
    const before = hanging();
    yield* this.#moveArm(
      way.at,
      0.35,
      () => bottom() < way.spot.position[2] + 0.003 || before - hanging() > 0.006,
    );
    driver.phase = "open";
    this.#pace = 1;
    yield* driver.grip(1, OPEN_STEPS);
    yield* driver.hold(4);
    yield* this.#withdraw(way);
    const isNear = flatDistance(position(), way.spot.position) < 0.2;
    return isNear && position()[2] > way.spot.position[2];
  }

  *#withdraw({ lift }: OnWay): Script<void> {
    this.#driver.phase = "retreat";
    yield* this.#raise(lift, 0.6);
    yield* this.#retract();
  }

  /** Arm joints over and at free places, the best first. */
  #putDowns(base: FlatPose, spots: readonly Spot[], inHand: InHand) {
    const { below, offset, turn } = inHand;
    const pitch = this.#armNow().pitch;
    const all = spots.flatMap((spot) => {
      const [x, y, z] = spot.position;
      if (Math.hypot(x - base[0], y - base[1]) > WORK_M) return [];
      const solve = (height: number): ArmJoints | undefined => {
        let joints = this.#arm.solve(inBase(base, [x, y, height]), pitch);
        // The object is beside the grasp, on a side that depends on the wrist.
        for (let i = 0; joints && i < 3; i++) {
          const shift = rotated(offset, base[2] + joints.yaw - turn);
          joints = this.#arm.solve(inBase(base, [x - shift[0], y - shift[1], height]), pitch);
        }
        return joints;
      };
      const at = solve(z + below + 0.002);
      if (!at) return [];
      const costS = 3 * Math.abs(at.yaw) - 20 * spot.insideM + 3;
      const overM = spot.rimM > 0 ? overEdge(spot.rimM, below) : 0;
      return LOWER_M.map((aboveM) => solve(z + below + Math.max(aboveM, overM)))
        .filter((hover) => hover !== undefined)
        .slice(0, 1)
        .map((hover) => ({ spot, at, hover, costS }));
    });
    return this.#clearWays(all, ({ spot, hover, at }) => ({
      ...{ base, point: spot.position, hover, at, aboveM: below, held: inHand },
      isInside: spot.rimM > 0,
    }));
  }

  /** How the held object hangs: below the grasp, and beside it in world axes at the hand's present heading. */
  #inHand(name: string): InHand {
    const object = objectNamed(this.#view, name);
    const hand = this.#view.endEffector().position;
    const [dx, dy] = subtract(object.position, hand);
    return {
      below: hand[2] - heights(object).bottomM,
      radiusM: radiusOf(object),
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
        Math.hypot(toX - x, toY - y) > DEVIATION_M ||
        Math.abs(wrapAngle(toTheta - theta)) > DEVIATION_RAD;
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

  /** Raises the folded hand, turns it out, extends the arm and lowers it to its joints. */
  *#reachOut(joints: ArmJoints, lift: number, pace: number, until?: () => boolean): Script<void> {
    yield* this.#raise(lift, 0.7);
    yield* this.#moveArm({ ...joints, lift, arm: 0 }, 0.7, until);
    yield* this.#moveArm({ ...joints, lift }, pace, until);
    yield* this.#moveArm(joints, pace, until);
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
  readonly radiusM: number;
  readonly offset: readonly [x: number, y: number];
  /** Heading of the hand at which `offset` was measured. */
  readonly turn: number;
}

function best<T>(sorted: Iterable<T>): T | undefined {
  for (const one of sorted) return one;
  return undefined;
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

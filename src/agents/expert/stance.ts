import type { Vec3 } from "../../core/math/vec3.js";
import { boxAround } from "./clearance.js";
import type { Driver, Script } from "./driver.js";
import { heightOver } from "./pick.js";
import { atHeight, flatDistance, yawOf } from "./pose.js";

/** Angle between arm and work up to which the base need not turn, because it can move along the table. */
const FACING_RAD = Math.PI / 4;
/** Distance beyond which the base moves towards the work even if the arm points at it, in metres. */
const OUT_OF_REACH_M = 1;
/** Distances from the work at which a base that moves comes to stand, in metres. */
const STANCE_M = [0.55, 0.75] as const;

/** A hand lower than the table and closer to the work than this, in metres, may be below the table. */
const BELOW_TABLE_M = 0.45;

/** Indices of a mobile base's degrees of freedom, and the frame in which they move. */
interface MobileBase {
  readonly x: number;
  readonly y: number;
  readonly theta: number;
  readonly frame: readonly [x: number, y: number, theta: number];
}

/**
 * Keeps a mobile base from moving into the table, whose legs it would hit: base and arm point at the table, so that
 * the base should only move along it. Where the arm points elsewhere, or the work is out of reach, turns and moves
 * the base first.
 *
 * @param work the points between which the hand will work
 */
export function* takeStance(
  driver: Driver,
  names: readonly (string | undefined)[],
  work: readonly Vec3[],
): Script<void> {
  const { view } = driver;
  const [x = -1, y = -1, theta = -1] = ["base_x", "base_y", "base_theta"].map((name) =>
    names.indexOf(name),
  );
  const start = view.joints();
  driver.anchor = (joints) =>
    joints.map((value, i) => (i === y || i === theta ? (start[i] ?? value) : value));
  if (!view.basePose || x < 0 || y < 0 || theta < 0) return;
  const base: MobileBase = { x, y, theta, frame: view.basePose };
  const stance = stanceFor(driver, base, mean(work));
  const cleared = clearOfTable(driver, base, mean(work));
  if (cleared) {
    driver.phase = "clear";
    yield* driver.follow([cleared]);
  }
  if (!stance) return;
  driver.phase = "turn";
  const here = view.endEffector();
  const high = Math.max(heightOver(view, "level"), here.position[2]);
  yield* driver.moveTo(atHeight(here, high));
  yield* driver.follow([stance(driver.command)]);
  driver.anchor = stance;
}

/** The place of the base to which `anchor` returns it; undefined if the robot can work from where it stands. */
function stanceFor(
  { view }: Driver,
  base: MobileBase,
  work: readonly [x: number, y: number],
): Driver["anchor"] | undefined {
  const { limits } = view;
  const { x, y, theta, frame } = base;
  const joints = view.joints();
  const { distance, unit, at } = wayTo(work, base, joints);
  const armYaw = yawOf(view.endEffector().rotation_wxyz) - frame[2];
  const turn = wrapped(Math.atan2(unit[1], unit[0]) - armYaw);
  if (Math.abs(turn) <= FACING_RAD && distance <= OUT_OF_REACH_M) return undefined;
  const [low, high] = limits[theta] ?? [0, 0];
  const wanted = (joints[theta] ?? 0) + turn;
  const turned = [wanted, wanted - 2 * Math.PI, wanted + 2 * Math.PI].find(
    (value) => value >= low && value <= high,
  );
  if (turned === undefined) return undefined;
  const forward = distance - clamp(distance, STANCE_M);
  const stand = [at[0] + forward * unit[0], at[1] + forward * unit[1]] as const;
  return (values) => {
    // How far the base is from its stance along the table, which runs across the arm.
    const along = unit[1] * ((values[x] ?? 0) - stand[0]) - unit[0] * ((values[y] ?? 0) - stand[1]);
    return values.map((value, i) => {
      if (i === theta) return turned;
      if (i === x) return clamp(stand[0] + along * unit[1], limits[x]);
      return i === y ? clamp(stand[1] - along * unit[0], limits[y]) : value;
    });
  };
}

/** Joints that bring a hand out from below the table, so that it can be raised; undefined if it is not there. */
function clearOfTable(
  { view, command }: Driver,
  base: MobileBase,
  work: readonly [x: number, y: number],
): readonly number[] | undefined {
  const hand = view.endEffector().position;
  const top = Math.min(
    ...view.objects().map((object) => object.position[2] - boxAround(object).half[2]),
  );
  const back = BELOW_TABLE_M - flatDistance(hand, [...work, 0]);
  if (hand[2] >= top || back <= 0) return undefined;
  const { unit, at } = wayTo(work, base, view.joints());
  return command.map((value, i) => {
    if (i === base.x) return clamp(at[0] - back * unit[0], view.limits[i]);
    return i === base.y ? clamp(at[1] - back * unit[1], view.limits[i]) : value;
  });
}

/** The way from the base to a point, in the frame in which the base moves. */
function wayTo(
  point: readonly [x: number, y: number],
  { x, y, frame }: MobileBase,
  joints: readonly number[],
) {
  const at = [joints[x] ?? 0, joints[y] ?? 0] as const;
  const to = toFrame(frame, point);
  const [dx, dy] = [to[0] - at[0], to[1] - at[1]];
  const distance = Math.hypot(dx, dy);
  const unit = distance > 0 ? ([dx / distance, dy / distance] as const) : ([1, 0] as const);
  return { at, distance, unit };
}

function mean(points: readonly Vec3[]): readonly [x: number, y: number] {
  const sum = (axis: 0 | 1) => points.reduce((total, point) => total + point[axis], 0);
  return [sum(0) / points.length, sum(1) / points.length];
}

function toFrame(
  [fx, fy, theta]: readonly [number, number, number],
  [x, y]: readonly [number, number],
): readonly [number, number] {
  const [c, s] = [Math.cos(theta), Math.sin(theta)];
  return [c * (x - fx) + s * (y - fy), c * (y - fy) - s * (x - fx)];
}

/** The same angle between -pi and pi. */
function wrapped(angleRad: number): number {
  return Math.atan2(Math.sin(angleRad), Math.cos(angleRad));
}

function clamp(value: number, [low, high]: readonly [number, number] = [value, value]): number {
  return Math.min(high, Math.max(low, value));
}

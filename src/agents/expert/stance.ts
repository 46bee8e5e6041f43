import type { Vec3 } from "../../core/math/vec3.js";
import type { Driver, Script } from "./driver.js";
import { heightOver } from "./pick.js";
import { atHeight, yawOf } from "./pose.js";

/** Angle between arm and work up to which the base need not turn, because it can move along the table. */
const FACING_RAD = Math.PI / 4;
/** Distance beyond which the base moves towards the work even if the arm points at it, in metres. */
const OUT_OF_REACH_M = 1;
/** Distances from the work at which a base that moves comes to stand, in metres. */
const STANCE_M = [0.55, 0.75] as const;

/** Indices of a mobile base's degrees of freedom. */
interface MobileBase {
  readonly x: number;
  readonly y: number;
  readonly theta: number;
}

type Anchor = Driver["anchor"];

/**
 * Keeps a mobile base from moving away from or into the table, whose legs it would hit: base and arm point at the
 * table, so that the base should only move along it. Where the arm points elsewhere, or the work is out of reach,
 * turns and moves the base first.
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
  if (x < 0 || y < 0 || theta < 0) return;
  const stance = stanceFor(driver, { x, y, theta }, work);
  if (!stance) return;
  driver.phase = "turn";
  const here = view.endEffector();
  const high = Math.max(heightOver(view, "level"), here.position[2]);
  yield* driver.moveTo(atHeight(here, high));
  yield* driver.follow([stance(driver.command)]);
  driver.anchor = stance;
}

/** Undefined if the robot can work from where it stands, or its base's frame is unknown. */
function stanceFor(
  { view }: Driver,
  { x, y, theta }: MobileBase,
  work: readonly Vec3[],
): Anchor | undefined {
  const { basePose, limits } = view;
  if (!basePose) return undefined;
  const joints = view.joints();
  const at = [joints[x] ?? 0, joints[y] ?? 0] as const;
  // In the frame in which the base moves.
  const middle = toFrame(basePose, mean(work));
  const [dx, dy] = [middle[0] - at[0], middle[1] - at[1]];
  const distance = Math.hypot(dx, dy);
  const armYaw = yawOf(view.endEffector().rotation_wxyz) - basePose[2];
  const turn = wrapped(Math.atan2(dy, dx) - armYaw);
  if (Math.abs(turn) <= FACING_RAD && distance <= OUT_OF_REACH_M) return undefined;
  const [low, high] = limits[theta] ?? [0, 0];
  const wanted = (joints[theta] ?? 0) + turn;
  const turned = [wanted, wanted - 2 * Math.PI, wanted + 2 * Math.PI].find(
    (value) => value >= low && value <= high,
  );
  if (turned === undefined || distance === 0) return undefined;
  const forward = distance - clamp(distance, STANCE_M);
  const [ux, uy] = [dx / distance, dy / distance];
  const stand = [at[0] + forward * ux, at[1] + forward * uy] as const;
  return (values) => {
    // How far the base is from its stance along the table, which runs across the arm.
    const along = uy * ((values[x] ?? 0) - stand[0]) - ux * ((values[y] ?? 0) - stand[1]);
    return values.map((value, i) => {
      if (i === theta) return turned;
      if (i === x) return clamp(stand[0] + along * uy, limits[x]);
      return i === y ? clamp(stand[1] - along * ux, limits[y]) : value;
    });
  };
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

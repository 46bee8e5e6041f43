import { bearing, wrapAngle } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { ahead, type Pose } from "../../simulator/navigation/kinematics.js";
import type { SceneDoor, SceneRoom } from "../../simulator/scenes/model.js";
import { pointAt, simplified } from "../polyline.js";
import { degreesBetween, type Side, sideOf } from "./bearings.js";
import type { FloorPlan } from "./floor-plan.js";
import type { Stage } from "./route.js";

/** Deviations from a straight path that fit a corridor's width, in metres. */
const TOLERANCE_M = 0.5;
const SHORT_M = 0.8;
/** Crossing a corridor over less than this to or from a door is not a separate leg, in metres. */
const ACROSS_M = 2;
/** Distance from the wall when walking along a corridor, in metres. */
const INSIDE_M = 0.6;
/** Minimum free distance to the side of a side corridor, in metres. */
const PASSAGE_M = 2.4;
/** A door within this distance along the corridor may or may not be counted, in metres. */
const ABREAST_M = 0.7;
/** Doors farther to the side than this belong to another arm, in metres. */
const ARM_M = 2;

export function isCorridor({ kind }: SceneRoom): boolean {
  return /corridor|hall/.test(kind);
}

/** A straight path along an arm of a corridor. */
export interface Leg {
  /** Start pose, looking along the leg, parallel to the walls. */
  readonly pose: Pose;
  readonly lengthM: number;
  /** The obstacle at the end of the walk: "nothing" if the arm continues beyond the turn. */
  readonly end: "wall" | "nothing";
}

/** Splits the path through a corridor into legs; undefined if it does not follow the arms. */
export function legsOf(plan: FloorPlan, stage: Stage): readonly Leg[] | undefined {
  const { room, pose, entry, exit, line } = stage;
  if (!isCorridor(room)) return undefined;
  const squareRad = plan.squareOf(room);
  const last = line.at(-1);
  if (squareRad === undefined || !last) return undefined;
  const corners = mergedCorners([pose.position, ...line.slice(1)], squareRad);
  if (entry && corners.length > 2) dropAcross(corners, pose.headingRad, "first");
  if (exit && corners.length > 2) {
    dropAcross(corners, plan.entering(exit, room).headingRad + Math.PI, "last");
  }
  const legs: Leg[] = [];
  for (const [i, to] of corners.slice(1).entries()) {
    const headingRad = square(bearing(corners[i] as Vec3, to), squareRad);
    // A doorway is in the wall, so after a turn the path runs farther inside.
    const turns = Math.abs(degreesBetween(pose.headingRad, headingRad)) > 45;
    const from = i === 0 && entry ? aheadOf(pose, turns ? INSIDE_M : 0.1) : (corners[i] as Vec3);
    const leg = { position: from, headingRad };
    const clearM = plan.clearM(room, to, headingRad);
    legs.push({
      pose: leg,
      lengthM: along(leg, to),
      end: clearM < PASSAGE_M ? "wall" : "nothing",
    });
  }
  const [first] = legs;
  if (!first || first.lengthM < SHORT_M || !startsAlong(stage, first)) return undefined;
  if (!legs.every((leg) => isAlong(plan, stage, leg))) return undefined;
  return legs.every((leg, i) => i === legs.length - 1 || turnsFirst(plan, stage, leg, legs[i + 1]))
    ? legs
    : undefined;
}

/** Corners of a path between legs of different directions parallel to the walls. */
function mergedCorners(line: readonly Vec3[], squareRad: number): Vec3[] {
  const corners = simplified(line, TOLERANCE_M);
  const out = corners.slice(0, 1);
  let before: number | undefined;
  for (const [i, to] of corners.slice(1).entries()) {
    const from = corners[i] as Vec3;
    const headingRad = square(bearing(from, to), squareRad);
    const isShort = Math.hypot(to[0] - from[0], to[2] - from[2]) < SHORT_M;
    const same = before !== undefined && Math.abs(degreesBetween(before, headingRad)) < 1;
    if (out.length > 1 && (same || isShort)) out[out.length - 1] = to;
    else {
      out.push(to);
      before = headingRad;
    }
  }
  return out;
}

/** Removes the step from a door across the corridor, or back, from the path. */
function dropAcross(corners: Vec3[], doorRad: number, which: "first" | "last"): void {
  const [a, b] = which === "first" ? corners.slice(0, 2) : corners.slice(-2);
  if (!a || !b) return;
  const isAcross = Math.abs(degreesBetween(doorRad, bearing(a, b))) < 45;
  if (!isAcross || Math.hypot(b[0] - a[0], b[2] - a[2]) > ACROSS_M) return;
  if (which === "first") corners.splice(1, 1);
  else corners.splice(-2, 1);
}

function startsAlong({ pose, line }: Stage, { pose: { headingRad } }: Leg): boolean {
  const steps = pointAt(line, 1.2);
  return Math.abs(degreesBetween(headingRad, bearing(pose.position, steps))) < 60;
}

/** True if the corridor is longer than wide along a leg; otherwise the leg crosses it. */
function isAlong(plan: FloorPlan, { room }: Stage, { pose, lengthM }: Leg): boolean {
  const middle = aheadOf(pose, lengthM / 2);
  const spanM = (turn: number) =>
    plan.clearM(room, middle, pose.headingRad + turn) +
    plan.clearM(room, middle, pose.headingRad + turn + Math.PI);
  return spanM(0) > 1.3 * spanM(Math.PI / 2);
}

/** True if the turn at a leg's end is the first possible one to that side. */
function turnsFirst(plan: FloorPlan, { room }: Stage, leg: Leg, next: Leg | undefined): boolean {
  if (!next) return true;
  const turn = degreesBetween(leg.pose.headingRad, next.pose.headingRad);
  if (Math.abs(turn) < 45 || Math.abs(turn) > 135) return false;
  for (let t = 1; t < leg.lengthM - 1.2; t += 0.25) {
    const at = aheadOf(leg.pose, t);
    if (plan.clearM(room, at, next.pose.headingRad) > PASSAGE_M) return false;
  }
  return true;
}

/** Position of a door relative to a walk along an arm. */
export interface AlongWall {
  readonly door: SceneDoor;
  /** Metres ahead of the start of the leg; negative if behind. */
  readonly aheadM: number;
  readonly wall: Side | "end" | "back";
}

/** The doors of a leg's arm, without the one of entry. */
export function doorsAlong(plan: FloorPlan, stage: Stage, { pose }: Leg): AlongWall[] {
  const doors = plan.doorsOf(stage.room).filter((door) => door !== stage.entry);
  return doors.flatMap((door): AlongWall[] => {
    if (Math.abs(beside(pose, door.position)) > ARM_M) return [];
    // The pose in a doorway that looks into the room faces away from the door's wall.
    const inward = degreesBetween(pose.headingRad, plan.entering(door, stage.room).headingRad);
    const off = Math.abs(inward);
    const wall = off > 135 ? "end" : off < 45 ? "back" : sideOf(-inward);
    return [{ door, aheadM: along(pose, door.position), wall }];
  });
}

/** Number of doors in the wall up to and including a door; undefined if ambiguous. */
export function countOf(doors: readonly AlongWall[], target: AlongWall): number | undefined {
  if (target.wall !== "left" && target.wall !== "right") return undefined;
  if (target.aheadM < ABREAST_M) return undefined;
  const same = doors.filter(({ wall, aheadM }) => {
    return wall === target.wall && aheadM > -ABREAST_M && aheadM <= target.aheadM;
  });
  if (same.some(({ aheadM, door }) => aheadM < ABREAST_M || isArch(door))) return undefined;
  return same.length;
}

/** People do not count an archway as a door. */
export function isArch({ widthM }: SceneDoor): boolean {
  return widthM > 1.2;
}

/** How far a point is ahead of a pose, in metres. */
export function along({ position, headingRad }: Pose, point: Vec3): number {
  const [dx, dz] = [point[0] - position[0], point[2] - position[2]];
  return -dx * Math.sin(headingRad) - dz * Math.cos(headingRad);
}

/** How far a point is to the right of a pose, in metres. */
function beside({ position, headingRad }: Pose, point: Vec3): number {
  const [dx, dz] = [point[0] - position[0], point[2] - position[2]];
  return dx * Math.cos(headingRad) - dz * Math.sin(headingRad);
}

function aheadOf({ position, headingRad }: Pose, metres: number): Vec3 {
  return ahead(position, headingRad, metres);
}

/** The nearest heading that is parallel to the walls. */
function square(headingRad: number, wallRad: number): number {
  const quarter = Math.PI / 2;
  return wrapAngle(wallRad + Math.round((headingRad - wallRad) / quarter) * quarter);
}

import type { Vec3 } from "../../core/math/vec3.js";
import type { Pose } from "../../simulator/navigation/kinematics.js";
import type { SceneDoor, SceneRoom } from "../../simulator/scenes/model.js";
import { densified, lengthOf, type Polyline } from "../polyline.js";
import type { FloorPlan } from "./floor-plan.js";

/** The part of a path in one room. */
export interface Stage {
  readonly room: SceneRoom;
  /** Pose at its start: the start pose, or in the doorway looking in. */
  readonly pose: Pose;
  readonly entry: SceneDoor | undefined;
  readonly exit: SceneDoor | undefined;
  /** The way from one doorway to the next, with points at most 0.05 m apart. */
  readonly line: Polyline;
}

const STEP_M = 0.05;
/** A shorter path across the corner of a room is not a stage, in metres. */
const CUT_M = 0.3;

/** Splits a path by rooms; undefined if it leads through places outside of all rooms. */
export function routeOf(
  plan: FloorPlan,
  path: Polyline,
  headingRad: number,
): readonly Stage[] | undefined {
  const runs = withoutCuts(runsOf(plan, path));
  const [first] = path;
  if (!first || runs.length === 0) return undefined;
  const stages: Stage[] = [];
  let entry: SceneDoor | undefined;
  for (const [i, { room, points }] of runs.entries()) {
    const next = runs[i + 1];
    const exit = next && crossed(plan, room, next.room, points.at(-1) as Vec3);
    if (next && !exit) return undefined;
    const pose = entry ? plan.entering(entry, room) : { position: first, headingRad };
    stages.push({ room, pose, entry, exit, line: points });
    entry = exit;
  }
  return stages;
}

interface Run {
  readonly room: SceneRoom;
  readonly points: Vec3[];
}

/** A doorway belongs to no room or to both: its points are assigned to the previous room. */
function runsOf(plan: FloorPlan, path: Polyline): Run[] {
  const runs: Run[] = [];
  for (const point of densified(path, STEP_M)) {
    const room = plan.roomAt(point);
    const last = runs.at(-1);
    if (!last && !room) return [];
    if (last && (!room || room === last.room)) last.points.push(point);
    else if (room) runs.push({ room, points: [point] });
  }
  // A goal between rooms cannot be described by its room.
  const end = path.at(-1);
  return end && plan.roomAt(end) === runs.at(-1)?.room ? runs : [];
}

function withoutCuts(runs: readonly Run[]): Run[] {
  const out: Run[] = [];
  for (const [i, run] of runs.entries()) {
    const before = out.at(-1);
    const after = runs[i + 1];
    if (before && before.room === run.room) before.points.push(...run.points);
    else if (before && after && before.room === after.room && lengthOf(run.points) < CUT_M) {
      before.points.push(...run.points);
    } else out.push({ room: run.room, points: [...run.points] });
  }
  return out;
}

function crossed(
  plan: FloorPlan,
  from: SceneRoom,
  to: SceneRoom,
  [x, , z]: Vec3,
): SceneDoor | undefined {
  const away = ({ position }: SceneDoor) => Math.hypot(position[0] - x, position[2] - z);
  const [nearest] = plan.doorsBetween(from, to).sort((a, b) => away(a) - away(b));
  // At a larger distance the path used an opening that the scene does not list as a door.
  return nearest && away(nearest) < nearest.widthM / 2 + 0.6 ? nearest : undefined;
}

import type { Vec3 } from "../../core/math/vec3.js";
import type { SceneDoor, SceneRoom } from "../../simulator/scenes/model.js";
import { densified, lengthOf, type Polyline } from "../polyline.js";
import type { FloorPlan, Pose } from "./floor-plan.js";

/** The part of a way that lies in one room. */
export interface Stage {
  readonly room: SceneRoom;
  /** Where it begins: at the start, or in the doorway looking in. */
  readonly pose: Pose;
  readonly entry: SceneDoor | undefined;
  readonly exit: SceneDoor | undefined;
  /** From one doorway to the next, at most 0.05 m apart. */
  readonly line: Polyline;
}

const STEP_M = 0.05;
/** A corner of a room that is only cut is no stage of the way. */
const CUT_M = 0.3;

/** The rooms that a way leads through; undefined where it leads through places that no room has. */
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

/** A doorway belongs to no room, or to either: its points go with the room that one comes from. */
function runsOf(plan: FloorPlan, path: Polyline): Run[] {
  const runs: Run[] = [];
  for (const point of densified(path, STEP_M)) {
    const room = plan.roomAt(point);
    const last = runs.at(-1);
    if (!last && !room) return [];
    if (last && (!room || room === last.room)) last.points.push(point);
    else if (room) runs.push({ room, points: [point] });
  }
  // A goal between rooms cannot be told by its room.
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
  // Farther off, one came through something that the scene does not know as a door.
  return nearest && away(nearest) < nearest.widthM / 2 + 0.6 ? nearest : undefined;
}

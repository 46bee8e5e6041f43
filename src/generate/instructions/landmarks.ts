import { bearing } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { SceneInstance, SceneRoom } from "../../simulator/scenes/model.js";
import { lengthOf } from "../polyline.js";
import { degreesBetween, type Side, sideOf } from "./bearings.js";
import { centreOf, type FloorPlan, floorDistance } from "./floor-plan.js";
import type { Stage } from "./route.js";

/** Parts of the building, and objects that one walks over or under rather than past. */
const NO_LANDMARKS = new Set(
  "unknown wall floor ceiling door window curtain rug stairs picture lamp hood towel".split(" "),
);
/** Minimum size of a landmark in two dimensions, in metres. */
const NOTABLE_M = 0.3;
/** Objects higher than this above the floor are not landmarks, in metres. */
const HIGH_M = 1.6;
/** Maximum distance at which a path passes a landmark, in metres. */
const PASSED_M = 1.6;
/** Degrees from straight ahead within which an object is clearly to one side. */
const BESIDE = { from: 45, to: 135 } as const;
const NEXT_TO_M = 1.2;

/** Objects that "the <category>" identifies in a room: unique there and easy to see. */
export function landmarksIn(plan: FloorPlan, room: SceneRoom): SceneInstance[] {
  const objects = plan.objectsIn(room);
  return objects.filter(({ category, min, max }) => {
    if (NO_LANDMARKS.has(category) || min[1] - room.floorM > HIGH_M) return false;
    const [, middle = 0] = [0, 1, 2]
      .map((axis) => (max[axis] as number) - (min[axis] as number))
      .sort((a, b) => a - b);
    return middle >= NOTABLE_M && objects.filter((o) => o.category === category).length === 1;
  });
}

export interface Passed {
  readonly object: SceneInstance;
  readonly side: Side;
  /** Metres along the stage. */
  readonly atM: number;
}

/** Landmarks that a stage passes, in order. */
export function passedIn(plan: FloorPlan, { room, line }: Stage): Passed[] {
  const total = lengthOf(line);
  const passed = landmarksIn(plan, room).flatMap((object): Passed[] => {
    const { index, distance, atM } = nearestOn(line, object);
    // At the ends of a stage an object is ahead or behind, not passed.
    if (distance > PASSED_M || atM < 0.4 || atM > total - 0.4) return [];
    const [before, at, after] = [line[index - 6] ?? line[0], line[index], line[index + 6]];
    if (!before || !at || !after) return [];
    const degrees = degreesBetween(bearing(before, after), bearing(at, centreOf(object)));
    const off = Math.abs(degrees);
    return off < BESIDE.from || off > BESIDE.to ? [] : [{ object, side: sideOf(degrees), atM }];
  });
  return passed.sort((a, b) => a.atM - b.atM);
}

function nearestOn(
  line: readonly Vec3[],
  object: SceneInstance,
): { readonly index: number; readonly distance: number; readonly atM: number } {
  let index = 0;
  let distance = Number.POSITIVE_INFINITY;
  for (const [i, point] of line.entries()) {
    const away = floorDistance(object, point);
    if (away < distance) {
      distance = away;
      index = i;
    }
  }
  return { index, distance, atM: lengthOf(line.slice(0, index + 1)) };
}

/** The landmark next to a position, if there is one. */
export function landmarkBeside(
  plan: FloorPlan,
  room: SceneRoom,
  place: Vec3,
): SceneInstance | undefined {
  const near = landmarksIn(plan, room)
    .map((object) => ({ object, distance: floorDistance(object, place) }))
    .filter(({ distance }) => distance <= NEXT_TO_M)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.object;
}

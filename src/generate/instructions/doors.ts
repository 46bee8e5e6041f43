import { bearing } from "../../core/math/rotation.js";
import type { SceneDoor } from "../../simulator/scenes/model.js";
import { apart, degreesBetween, directionOf } from "./bearings.js";
import { type FloorPlan, floorDistance, type Pose } from "./floor-plan.js";
import { landmarksIn } from "./landmarks.js";
import type { Stage } from "./route.js";

/** By how many degrees another door must be farther from where the words point. */
const CLEAR_DEGREES = 15;

/** A stage that ends in a door. */
export type Leaving = Stage & { readonly exit: SceneDoor };

/** The doors of a stage's room that the one to take could be mistaken for. */
export function othersThan(plan: FloorPlan, { room, entry, exit }: Leaving): SceneDoor[] {
  return plan.doorsOf(room).filter((door) => door !== entry && door !== exit);
}

/** Those of them that lead to a room of the same kind. */
export function alikeTo(plan: FloorPlan, stage: Leaving): SceneDoor[] {
  const { room, exit } = stage;
  const kind = plan.behind(exit, room)?.kind;
  return othersThan(plan, stage).filter((door) => plan.behind(door, room)?.kind === kind);
}

/** Degrees to the left from a look to a door. */
export function degreesTo({ position, headingRad }: Pose, door: SceneDoor): number {
  return degreesBetween(headingRad, bearing(position, door.position));
}

/** Whether the words for a door's direction point to it rather than to any of the others. */
export function pointsTo(pose: Pose, door: SceneDoor, others: readonly SceneDoor[]): boolean {
  const { meansDegrees } = directionOf(degreesTo(pose, door));
  const off = apart(degreesTo(pose, door), meansDegrees);
  return others.every((other) => {
    return apart(degreesTo(pose, other), meansDegrees) > off + CLEAR_DEGREES;
  });
}

/** A thing that stands by this door of the room and by none of the others. */
export function besideDoor(plan: FloorPlan, stage: Leaving): string | undefined {
  const { room, exit } = stage;
  const reach = exit.widthM / 2 + 0.7;
  const others = plan.doorsOf(room).filter((door) => door !== exit);
  const thing = landmarksIn(plan, room).find((object) => {
    if (floorDistance(object, exit.position) > reach) return false;
    return others.every((door) => floorDistance(object, door.position) > reach + 1);
  });
  return thing?.category;
}

import { bearing } from "../../core/math/rotation.js";
import type { Pose } from "../../simulator/navigation/kinematics.js";
import type { SceneDoor } from "../../simulator/scenes/model.js";
import { apart, degreesBetween, directionOf } from "./bearings.js";
import { type FloorPlan, floorDistance } from "./floor-plan.js";
import { landmarksIn } from "./landmarks.js";
import type { Stage } from "./route.js";

/** Minimum angle by which other doors must be farther from the stated direction, in degrees. */
const CLEAR_DEGREES = 15;

/** A stage that ends at a door. */
export type ExitStage = Stage & { readonly exit: SceneDoor };

/** The other doors of a stage's room, which could be confused with the exit. */
export function otherDoors(plan: FloorPlan, { room, entry, exit }: ExitStage): SceneDoor[] {
  return plan.doorsOf(room).filter((door) => door !== entry && door !== exit);
}

/** The other doors that lead to a room of the same kind. */
export function similarDoors(plan: FloorPlan, stage: ExitStage): SceneDoor[] {
  const { room, exit } = stage;
  const kind = plan.behind(exit, room)?.kind;
  return otherDoors(plan, stage).filter((door) => plan.behind(door, room)?.kind === kind);
}

/** Degrees to the left from a pose's heading to a door. */
export function degreesTo({ position, headingRad }: Pose, door: SceneDoor): number {
  return degreesBetween(headingRad, bearing(position, door.position));
}

/** True if the words for a door's direction are closer to it than to any other door. */
export function pointsTo(pose: Pose, door: SceneDoor, others: readonly SceneDoor[]): boolean {
  const { meansDegrees } = directionOf(degreesTo(pose, door));
  const off = apart(degreesTo(pose, door), meansDegrees);
  return others.every((other) => {
    return apart(degreesTo(pose, other), meansDegrees) > off + CLEAR_DEGREES;
  });
}

/** An object next to this door and not next to any other door of the room. */
export function besideDoor(plan: FloorPlan, stage: ExitStage): string | undefined {
  const { room, exit } = stage;
  const reach = exit.widthM / 2 + 0.7;
  const others = plan.doorsOf(room).filter((door) => door !== exit);
  const thing = landmarksIn(plan, room).find((object) => {
    if (floorDistance(object, exit.position) > reach) return false;
    return others.every((door) => floorDistance(object, door.position) > reach + 1);
  });
  return thing?.category;
}

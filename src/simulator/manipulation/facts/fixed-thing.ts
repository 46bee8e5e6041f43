import type { ThingFacts } from "../../../core/rules/facts.js";
import type { Physics } from "../physics/physics.js";
import { objectPose } from "../world/object-pose.js";

/** Whether the model has a body of this name that cannot move, such as a table. */
export function isFixedThing(physics: Pick<Physics, "has" | "isFixed">, name: string): boolean {
  return physics.has("body", name) && physics.isFixed(name);
}

/** The bounding box of a body that cannot move. */
export function fixedThing(physics: Physics, name: string): ThingFacts {
  const { bounds } = physics.inspect().body(name);
  const centre = bounds?.centreM ?? [0, 0, 0];
  const { position, rotation_wxyz } = objectPose(physics, { name, centreInBody: centre });
  return { shape: "box", size_m: bounds?.sizeM ?? [0, 0, 0], position, rotation_wxyz };
}

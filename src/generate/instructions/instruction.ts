import type { Random } from "../../core/math/random.js";
import type { SceneModel } from "../../simulator/scenes/model.js";
import type { Polyline } from "../polyline.js";
import { FloorPlan } from "./floor-plan.js";
import { tellLegs } from "./legs.js";
import { routeOf } from "./route.js";
import { RoomTeller } from "./telling.js";
import { Wording } from "./words.js";

/** A way that is to be told. */
export interface Way {
  /** From the start to the goal, both included. */
  readonly path: Polyline;
  /** Radians, where one looks at the start. */
  readonly headingRad: number;
}

/**
 * A way in words: by rooms, doors and landmarks where the scene knows its rooms, by turns and distances
 * where it does not. Undefined where a scene's rooms do not tell the way without doubt.
 */
export function tellWay(
  scene: Pick<SceneModel, "rooms" | "doors" | "instances" | "id" | "parts">,
  { path, headingRad }: Way,
  random: Random,
): string | undefined {
  const words = new Wording(random);
  if (scene.rooms.length === 0) return tellLegs(path, headingRad, words);
  const plan = new FloorPlan(scene);
  const stages = routeOf(plan, path, headingRad);
  return stages && new RoomTeller(plan, words).tell(stages);
}

import type { Random } from "../../core/math/random.js";
import type { SceneModel } from "../../simulator/scenes/model.js";
import type { Polyline } from "../polyline.js";
import { FloorPlan } from "./floor-plan.js";
import { describeLegs } from "./legs.js";
import { RoomInstructions } from "./room-instructions.js";
import { routeOf } from "./route.js";
import { Wording } from "./words.js";

/**
 * Describes a path in words: by rooms, doors and landmarks if the scene has rooms, otherwise by turns and distances.
 * Undefined if the rooms do not describe the path unambiguously. `headingRad` is the heading at the start.
 */
export function describePath(
  scene: Pick<SceneModel, "rooms" | "doors" | "instances" | "id" | "parts">,
  { path, headingRad }: { readonly path: Polyline; readonly headingRad: number },
  random: Random,
): string | undefined {
  const words = new Wording(random);
  if (scene.rooms.length === 0) return describeLegs(path, headingRad, words);
  const plan = new FloorPlan(scene);
  const stages = routeOf(plan, path, headingRad);
  return stages && new RoomInstructions(plan, words).describe(stages);
}

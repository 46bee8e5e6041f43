import type { BaseEpisode } from "../../../core/episode/base.js";
import { isInside } from "../../scenes/geometry.js";
import type { Physics } from "../physics/physics.js";
import { toScene } from "../visual/axes.js";
import { episodeError, type WorldConfig } from "../world/task-config.js";
import type { ManipulationWorld, ObjectSpec } from "../world/world.js";
import type { ApartmentWorld } from "./apartment-world.js";
import { FLOOR, instanceOf, isOfApartment } from "./fragment.js";

/** Overlap that rounding and settling may cause. */
const OBJECT_M = 5e-3;
/** A start beside furniture may press the base's corner against it. */
const ROBOT_M = 5e-3;

/** Checks what an episode says about its place in an apartment, before the world is compiled. */
export function checkApartmentEpisode(
  episode: BaseEpisode,
  config: WorldConfig,
  { model, navMesh }: ApartmentWorld,
): void {
  if (config.table) {
    throw episodeError(
      episode,
      "task_config.table",
      `${model.id} has its own furniture, so no table can be added`,
      "put the objects on the apartment's tables",
    );
  }
  const { base_pose } = episode.startState;
  if (!base_pose) {
    throw episodeError(
      episode,
      "start_state.base_pose",
      `an episode in ${model.id} has no default start`,
      "give [x, y, theta] of a free place on the floor",
    );
  }
  const [x, y] = base_pose;
  if (navMesh.isNavigable(toScene([x, y, 0]))) return;
  const near = navMesh.snap(toScene([x, y, 0]));
  throw episodeError(
    episode,
    "start_state.base_pose",
    `the robot's base does not fit at [${x}, ${y}] in ${model.id}: a wall or furniture is too near`,
    near
      ? `the nearest free place is [${near[0].toFixed(2)}, ${(0 - near[2]).toFixed(2)}]`
      : "no floor is near; x and y are metres, with y = -z of the scene",
  );
}

/** Walls are hollow, so an object in one may touch nothing. */
export function checkInRooms(
  episode: BaseEpisode,
  objects: readonly ObjectSpec[],
  { model }: ApartmentWorld,
): void {
  const index = objects.findIndex(({ position }) => {
    const [x, , z] = toScene(position);
    return !model.rooms.some(({ outline }) => isInside(outline, x, z));
  });
  const object = objects[index];
  if (!object) return;
  throw episodeError(
    episode,
    `task_config.scene_objects.${index}.position`,
    `"${object.name}" at [${object.position.join(", ")}] is in no room of ${model.id}`,
    "put it on the floor or furniture of a room; x and y are metres, with y = -z of the scene",
  );
}

/** Checks that neither the objects nor the robot start inside something. The physics has been placed. */
export function checkPlaces(
  episode: BaseEpisode,
  { objects, basePose }: ManipulationWorld,
  physics: Physics,
): void {
  for (const { bodies, geoms, depthM } of physics.overlaps()) {
    const index = objects.findIndex(({ name }) => bodies.includes(name));
    const [own, other] = bodies[0] === objects[index]?.name ? [0, 1] : [1, 0];
    const depth = `${(depthM * 100).toFixed(1)} cm`;
    if (index >= 0 && depthM > OBJECT_M) {
      throw episodeError(
        episode,
        `task_config.scene_objects.${index}.position`,
        `"${bodies[own]}" is ${depth} inside ${partName(bodies[other], geoms[other])}`,
        "position is the object's centre; move it, or omit z to stand it on the surface below",
      );
    }
    const isFixed = geoms.map(isOfApartment);
    if (index < 0 && isFixed.includes(true) && depthM > ROBOT_M) {
      const part = isFixed[0] ? 0 : 1;
      throw episodeError(
        episode,
        "start_state",
        `the robot's ${bodies[1 - part]} is ${depth} inside ${partName(bodies[part], geoms[part])} at the base pose [${basePose.join(", ")}]`,
        "start farther away from it, or with the arm retracted",
      );
    }
  }
}

function partName(body = "", geom = ""): string {
  return instanceOf(geom) ?? (body === FLOOR ? "the floor" : `"${body}"`);
}

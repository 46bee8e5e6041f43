import type { BaseEpisode } from "../../../core/episode/base.js";
import { DataError } from "../../../core/errors.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { isRecord } from "../../../core/record.js";
import { suggestion } from "../../../core/registry.js";
import type { ReceptacleSurface } from "../../scenes/receptacles.js";
import { toScene } from "../visual/axes.js";
import { nameIn } from "../world/from-scene.js";
import { episodeError } from "../world/task-config.js";
import type { ManipulationWorld } from "../world/world.js";
import type { ApartmentWorld } from "./apartment-world.js";
import { drawerSurface } from "./drawers.js";

/** Distances from which Stretch's arm reaches a point, retracted to extended. */
const REACH_M = [0.45, 0.6, 0.75, 0.9, 1.05] as const;
const DIRECTIONS = 24;
/** Spacing of the points of a surface that are tried. */
const SPACING_M = 0.3;

/**
 * Checks that the robot can drive to places from which it reaches the target object and the goal receptacle.
 *
 * @throws DataError `unreachable_goal` if walls or furniture are in the way
 */
export function checkReachable(
  episode: BaseEpisode,
  { objects, basePose: [x, y] }: Pick<ManipulationWorld, "objects" | "basePose">,
  apartment: ApartmentWorld,
): void {
  const start = toScene([x, y, 0]);
  const { target_object, target_location } = episode.goals;
  const target = objects.find(({ name }) => name === nameIn(target_object));
  if (target && !isWithinReach(apartment, start, toScene(target.position))) {
    throw unreachable(episode, "goals.target_object", `the object "${target.name}"`, apartment);
  }
  const named = isRecord(target_location) ? target_location.receptacle : undefined;
  if (typeof named !== "string") return;
  const points = pointsToReach(apartment, named);
  if (!points) {
    const { model, receptacles, drawers } = apartment;
    throw episodeError(
      episode,
      "goals.target_location.receptacle",
      model.drawers?.some(({ name }) => name === named)
        ? `"${named}" is a part of its furniture, because the episode does not list it as a drawer that moves`
        : `"${named}" is no receptacle of ${model.id}`,
      model.drawers?.some(({ name }) => name === named)
        ? `add {"name": "${named}", "opened": 0.3} to task_config.drawers`
        : suggestion(
            named,
            [...receptacles, ...drawers].map(({ name }) => name),
          ),
    );
  }
  if (points.some((point) => isWithinReach(apartment, start, point))) return;
  throw unreachable(episode, "goals.target_location", `the receptacle "${named}"`, apartment);
}

/** Points of a receptacle's surfaces, or of the front of a closed drawer; undefined if there is no such receptacle. */
function pointsToReach(
  { receptacles, drawers }: ApartmentWorld,
  receptacle: string,
): readonly Vec3[] | undefined {
  const drawer = drawers.find(({ name }) => name === receptacle);
  if (drawer) {
    const surface = drawerSurface(drawer, drawer.opened * drawer.range);
    return surface ? pointsOn(surface) : [toScene(drawer.position)];
  }
  return receptacles.find(({ name }) => name === receptacle)?.surfaces.flatMap(pointsOn);
}

/** Whether the base can drive from `start` to a place near a point. */
function isWithinReach({ navMesh }: ApartmentWorld, start: Vec3, [x, , z]: Vec3): boolean {
  const island = navMesh.island(start);
  return REACH_M.some((radius) =>
    Array.from({ length: DIRECTIONS }, (_, i) => (2 * Math.PI * i) / DIRECTIONS).some((angle) => {
      const place: Vec3 = [x + radius * Math.cos(angle), start[1], z + radius * Math.sin(angle)];
      return navMesh.isNavigable(place) && navMesh.island(place) === island;
    }),
  );
}

/** A grid of points on a surface, its corners included. */
function pointsOn({
  centre: [x, y, z],
  yawRad,
  sizeM: [length, width],
}: ReceptacleSurface): Vec3[] {
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  return shares(length).flatMap((u) =>
    shares(width).map((v): Vec3 => {
      const [du, dv] = [u * length, v * width];
      return [x + du * cos + dv * sin, y, z - du * sin + dv * cos];
    }),
  );
}

/** Evenly spaced positions from one edge (-0.5) to the other (0.5). */
function shares(lengthM: number): number[] {
  const count = Math.max(1, Math.ceil(lengthM / SPACING_M));
  return Array.from({ length: count + 1 }, (_, i) => i / count - 0.5);
}

function unreachable(
  episode: BaseEpisode,
  field: string,
  what: string,
  { model }: ApartmentWorld,
): DataError {
  return new DataError(
    "unreachable_goal",
    `no way through ${model.id} leads from the start to a place from which the arm reaches ${what}`,
    {
      where: `episode ${episode.episodeId}, ${field}`,
      hint: "start in a connected part of the apartment, or choose another object or receptacle",
    },
  );
}

import { z } from "zod";
import { BaseEpisode } from "../../core/episode/base.js";
import { quatXyzwSchema, vec3Schema } from "../../core/episode/number-lists.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { isRecord } from "../../core/record.js";
import { check, type DataLocation, errorAt, idSchema, whereOf } from "../check.js";
import type { DatasetFormat } from "../format.js";
import { partsOf } from "../parts.js";
import { readEach } from "../read-each.js";
import { hasKeys } from "../readers/json.js";
import { firstHabitatEpisode, habitatFields, infoOf, placeOf, startOf } from "./habitat-episode.js";
import {
  type EpisodeEntry,
  positionsOf,
  streamWithGoals,
  viewPointsSchema,
} from "./habitat-goals.js";

const pixels = z.number().int().positive();

/** A photograph of the object: the camera's pose and parameters. */
const imageGoalSchema = z.object({
  position: vec3Schema,
  rotation: quatXyzwSchema,
  /** Horizontal field of view in degrees. */
  hfov: z.number().positive().lt(180),
  image_dimensions: z.tuple([pixels, pixels]),
});

const objectSchema = z.object({
  position: vec3Schema,
  object_category: z.string().min(1),
  view_points: viewPointsSchema,
  image_goals: z.array(imageGoalSchema),
});

const episodeSchema = z.looseObject({
  ...habitatFields,
  goal_object_id: idSchema,
  goal_image_id: z.int().nonnegative(),
});

interface ObjectGoal {
  readonly object_category: string;
  readonly position: Vec3;
  readonly view_points: readonly Vec3[];
  readonly images: readonly z.output<typeof imageGoalSchema>[];
}

/** In metres, measured to the view points. Half of the profile's distance for other image goals. */
const SUCCESS_DISTANCE = 0.1;

/**
 * Instance image-goal navigation (Krantz et al., 2022), HM3D v3: go to the specific object in a photograph,
 * which was taken by a separate camera, from a pose that the robot cannot take. Paths as for ObjectNav.
 *
 * Published numbers require 0.1 m to a view point, the profile's rule for image_nav 0.2 m.
 * `task_config.success_distance` records the former; a benchmark has to set it.
 */
export const instanceImageNavFormat: DatasetFormat = {
  name: "instance-imagenav",
  description: "Habitat InstanceImageNav on HM3D: {split}.json.gz, with content/<scene>.json.gz",
  taskTypes: ["image_nav"],
  profile: "habitat",

  detect: ({ head }) => {
    if (hasKeys(firstHabitatEpisode(head), "goal_object_id", "goal_image_id")) return true;
    const [first] = isRecord(head) && isRecord(head.goals) ? Object.values(head.goals) : [];
    return hasKeys(first, "position", "object_category", "view_points");
  },

  async *episodes(source) {
    const taskType = source.taskType ?? "image_nav";
    for (const file of await partsOf(source.path)) {
      const entries = streamWithGoals(file, "goals", readObject);
      yield* readEach({ ...source, path: file }, entries, (entry) =>
        episodeOf(entry, taskType, placeOf(file, entry.index, entry.raw, entry.text)),
      );
    }
  },
};

function episodeOf(
  { raw: entry, goals }: EpisodeEntry<ObjectGoal>,
  taskType: string,
  at: DataLocation,
): BaseEpisode {
  const raw = check(episodeSchema, entry, at);
  const { goal_object_id: objectId, goal_image_id: imageId } = raw;
  const { images, ...goal } = goals.get(`${sceneName(raw.scene_id)}_${objectId}`, at);
  const image_goal = images[imageId];
  if (!image_goal) {
    const problem = `object ${objectId} has ${images.length} images, got ${imageId}`;
    const hint = "count images from 0";
    throw errorAt(at, "missing_goal", problem, { field: "goal_image_id", hint });
  }
  return new BaseEpisode(
    {
      ...startOf(raw),
      taskType,
      goals: { ...goal, image_goal },
      taskConfig: {
        ...infoOf(raw, "geodesic_distance", "euclidean_distance"),
        goal_object_id: objectId,
        goal_image_id: imageId,
        success_distance: SUCCESS_DISTANCE,
      },
    },
    whereOf(at),
  );
}

/** Extracts the scene name used in goal keys: `.../TEEsavR23oF.basis.glb` gives `TEEsavR23oF`. */
function sceneName(sceneId: string): string {
  return sceneId
    .slice(sceneId.lastIndexOf("/") + 1)
    .replace(/\.glb$/, "")
    .replace(/\.basis$/, "");
}

function readObject(raw: unknown, at: DataLocation): ObjectGoal {
  const { position, object_category, view_points, image_goals } = check(objectSchema, raw, at);
  return { object_category, position, view_points: positionsOf(view_points), images: image_goals };
}

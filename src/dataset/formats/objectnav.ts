import { z } from "zod";
import { BaseEpisode } from "../../core/episode/base.js";
import { vec3Schema } from "../../core/episode/number-lists.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { check, type DataLocation, whereOf } from "../check.js";
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
import { isOvmm } from "./ovmm.js";

const GOALS = "goals_by_category";

const objectsSchema = z.array(
  z.object({
    position: vec3Schema,
    radius: z.number().nonnegative().nullish(),
    view_points: viewPointsSchema.nullish(),
  }),
);

const episodeSchema = z.looseObject({
  ...habitatFields,
  object_category: z.string().min(1),
  // Older files have goals here; newer ones store them by category and leave this empty.
  goals: objectsSchema.nullish(),
});

/** All objects of a category in a scene. */
interface CategoryGoals {
  readonly positions: readonly Vec3[];
  readonly view_points: readonly Vec3[];
  readonly radius?: number;
}

/**
 * Object-goal navigation as in Habitat's challenges (Batra et al., 2020), on HM3D or MP3D. The path is an
 * index whose `content/` folder has one file per scene, one of these files, a single file of all episodes,
 * or the split's folder.
 *
 * The goal is any object of a category, reached at any point from which it is visible. Episodes of the same
 * scene and category share these points. Ids repeat across scenes.
 */
export const objectNavFormat: DatasetFormat = {
  name: "objectnav",
  description: "Habitat ObjectNav on HM3D or MP3D: {split}.json.gz, with content/<scene>.json.gz",
  taskTypes: ["objectnav"],
  profile: "habitat",

  detect: ({ head }) => {
    if (hasKeys(head, GOALS) || hasKeys(head, "category_to_task_category_id")) return true;
    const first = firstHabitatEpisode(head);
    return hasKeys(first, "object_category") && !hasKeys(first, "goal_image_id") && !isOvmm(first);
  },

  async *episodes(source) {
    const taskType = source.taskType ?? "objectnav";
    for (const file of await partsOf(source.path)) {
      const entries = streamWithGoals(file, GOALS, readObjects);
      yield* readEach({ ...source, path: file }, entries, (entry) =>
        episodeOf(entry, taskType, placeOf(file, entry.index, entry.raw, entry.text)),
      );
    }
  },
};

function episodeOf(
  { raw: entry, goals }: EpisodeEntry<CategoryGoals>,
  taskType: string,
  at: DataLocation,
): BaseEpisode {
  const raw = check(episodeSchema, entry, at);
  const { object_category, goals: own } = raw;
  const scene = raw.scene_id.slice(raw.scene_id.lastIndexOf("/") + 1);
  const goal = own?.length ? allOf(own) : goals.get(`${scene}_${object_category}`, at);
  return new BaseEpisode(
    {
      ...startOf(raw),
      taskType,
      goals: { object_category, ...goal },
      taskConfig: infoOf(raw, "geodesic_distance", "euclidean_distance", "closest_goal_object_id"),
    },
    whereOf(at),
  );
}

function readObjects(raw: unknown, at: DataLocation): CategoryGoals {
  return allOf(check(objectsSchema, raw, at));
}

function allOf(objects: z.output<typeof objectsSchema>): CategoryGoals {
  const radius = objects.find((object) => typeof object.radius === "number")?.radius;
  return {
    positions: objects.map(({ position }) => position),
    view_points: objects.flatMap(({ view_points }) => positionsOf(view_points ?? [])),
    ...(typeof radius === "number" ? { radius } : {}),
  };
}

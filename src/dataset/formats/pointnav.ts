import { z } from "zod";
import { BaseEpisode } from "../../core/episode/base.js";
import { check, whereOf } from "../check.js";
import type { DatasetFormat } from "../format.js";
import { partsOf } from "../parts.js";
import { readEach } from "../read-each.js";
import { hasKeys } from "../readers/json.js";
import { streamList } from "../readers/json-stream.js";
import {
  firstHabitatEpisode,
  habitatFields,
  infoOf,
  placeOf,
  pointGoal,
  pointGoals,
  startOf,
} from "./habitat-episode.js";

const episodeSchema = z.looseObject({
  ...habitatFields,
  goals: z.array(pointGoal).min(1),
});

/** Keys that identify other formats whose episodes also have point goals. */
const OTHERS = ["task_type", "instruction", "object_category", "goal_image_id", "question"];

/**
 * Habitat's PointNav files (Savva et al., ICCV 2019), a file or an index with `content/`. ImageNav uses the
 * same files: the goal image is the view at the goal. They do not give the camera's direction there, so a
 * simulator must derive it from the episode's key; the image is then the same in every process.
 */
export const pointNavFormat: DatasetFormat = {
  name: "pointnav",
  description: "Habitat PointNav, whose files ImageNav uses too: {split}.json.gz",
  taskTypes: ["image_nav"],
  profile: "habitat",

  detect: ({ head }) => {
    const first = firstHabitatEpisode(head);
    if (!first || OTHERS.some((key) => hasKeys(first, key))) return false;
    const goal: unknown = Array.isArray(first.goals) ? first.goals[0] : undefined;
    return hasKeys(goal, "position") && !hasKeys(goal, "view_points");
  },

  async *episodes(source) {
    const taskType = source.taskType ?? "image_nav";
    for (const file of await partsOf(source.path)) {
      const entries = streamList(file, "episodes", "episodes");
      yield* readEach({ ...source, path: file }, entries, ([i, entry, text]) => {
        const at = placeOf(file, i, entry, text);
        const raw = check(episodeSchema, entry, at);
        return new BaseEpisode(
          {
            ...startOf(raw),
            taskType,
            goals: pointGoals(raw.goals),
            taskConfig: infoOf(raw, "geodesic_distance", "difficulty"),
          },
          whereOf(at),
        );
      });
    }
  },
};

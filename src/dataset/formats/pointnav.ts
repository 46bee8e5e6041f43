import { z } from "zod";
import { BaseEpisode } from "../../core/episode/base.js";
import { check, whereOf } from "../check.js";
import type { DatasetFormat } from "../format.js";
import { hasKeys } from "../json.js";
import { streamList } from "../json-stream.js";
import { partsOf } from "../parts.js";
import { readEach } from "../read-each.js";
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

/** Other datasets have episodes with point goals too, and each of them one of these besides. */
const OTHERS = ["task_type", "instruction", "object_category", "goal_image_id", "question"];

/**
 * Habitat's PointNav files (Savva et al., ICCV 2019), a file or an index with `content/`, which ImageNav
 * uses as they are: the goal image is what is seen at the goal. They do not say which way the camera
 * looks there; a simulator must derive that from the episode's key, so that an episode's image is the
 * same in every process.
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
      yield* readEach(source, streamList(file, "episodes", "episodes"), ([i, entry]) => {
        const at = placeOf(file, i, entry);
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

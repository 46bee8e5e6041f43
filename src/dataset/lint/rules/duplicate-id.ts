import { keyOf } from "../geometry.js";
import type { LintRule } from "../types.js";

/** Finds two episodes of a scene with the same id. Ids may repeat in another scene. */
export function duplicateId(): LintRule {
  const numbers = new Map<string, number>();
  return {
    code: "duplicate_id",
    severity: "error",
    why: "results are stored by task, scene and id: of two episodes with the same key only one would be counted, so such a dataset is rejected",
    *check(episode, { number }) {
      const key = keyOf(episode);
      const first = numbers.get(key);
      if (first === undefined) numbers.set(key, number);
      else {
        yield {
          field: "episode_id",
          value: episode.episodeId,
          message: `episode number ${number} has the same scene and id as number ${first}`,
          hint: "rename or remove one of the two",
        };
      }
    },
  };
}

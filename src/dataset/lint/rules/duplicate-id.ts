import { keyOf } from "../geometry.js";
import type { LintRule } from "../types.js";

/** Two episodes of one scene with one id. Ids that repeat in another scene are as they should be. */
export function duplicateId(): LintRule {
  const numbers = new Map<string, number>();
  return {
    code: "duplicate_id",
    severity: "error",
    why: "results are kept by task, scene and id: of two episodes with one key only one would be seen, so such a dataset is refused",
    *check(episode, { number }) {
      const key = keyOf(episode);
      const first = numbers.get(key);
      if (first === undefined) numbers.set(key, number);
      else {
        yield {
          field: "episode_id",
          value: episode.episodeId,
          message: `episode number ${number} has the scene and id of number ${first}`,
          hint: "rename or remove one of the two",
        };
      }
    },
  };
}

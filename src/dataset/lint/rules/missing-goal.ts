import { goalPlaces } from "../../../core/episode/base.js";
import { keyOf } from "../geometry.js";
import type { LintRule } from "../types.js";

const NAVIGATION: readonly string[] = ["vln", "objectnav", "image_nav"];

/** Navigation episodes without a goal: all of them in a test split, none elsewhere. */
export function missingGoal(): LintRule {
  let total = 0;
  let missing = 0;
  let first: string | undefined;
  return {
    code: "missing_goal",
    severity: "warning",
    why: "without a goal's place nothing can be judged: such an episode can be scored only where the answer is known",
    observe(episode) {
      if (!NAVIGATION.includes(episode.taskType)) return;
      total++;
      if (goalPlaces(episode).length > 0) return;
      missing++;
      first ??= keyOf(episode);
    },
    *finish() {
      if (missing === 0) return;
      const all = missing === total;
      yield {
        episode: all ? undefined : first,
        field: "goals",
        message: all
          ? `none of the ${total} episodes has a goal's place: a test split, or a format that names goals otherwise`
          : `${missing} of ${total} episodes have no goal's place; this is the first`,
        severity: all ? "info" : "warning",
      };
    },
  };
}

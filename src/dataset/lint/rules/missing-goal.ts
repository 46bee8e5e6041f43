import { goalPoints } from "../../../core/episode/base.js";
import { keyOf } from "../geometry.js";
import type { LintRule } from "../types.js";

const NAVIGATION: readonly string[] = ["vln", "objectnav", "image_nav"];

/**
 * Finds navigation episodes without a goal. In a test split all episodes lack one, in other splits none
 * should.
 */
export function missingGoal(): LintRule {
  let total = 0;
  let missing = 0;
  let first: string | undefined;
  return {
    code: "missing_goal",
    severity: "warning",
    why: "without a goal position success cannot be determined: such an episode can only be scored by the holder of the goals",
    observe(episode) {
      if (!NAVIGATION.includes(episode.taskType)) return;
      total++;
      if (goalPoints(episode).length > 0) return;
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
          ? `none of the ${total} episodes has a goal position: this is a test split, or its format defines goals differently`
          : `${missing} of ${total} episodes have no goal position; this is the first`,
        severity: all ? "info" : "warning",
      };
    },
  };
}

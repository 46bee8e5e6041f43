import { getProfile } from "../../../core/profiles.js";
import { keyOf } from "../geometry.js";
import type { LintRule } from "../types.js";

/** Finds goal radii that are 0 or differ from the profile's success distance. */
export function goalRadius(): LintRule {
  const others = new Map<number, { readonly episode: string; count: number }>();
  let judgedBy = 0;
  return {
    code: "goal_radius",
    severity: "info",
    why: "the profile or the benchmark sets the success distance, as in Habitat; the radius in the file is ignored, so a different one is misleading",
    *check(episode, { format }) {
      const { radius } = episode.goals;
      if (typeof radius !== "number") return;
      if (radius === 0) {
        yield {
          field: "goals.radius",
          value: radius,
          message:
            "no agent comes within 0 m of a goal, so a tool that uses the radius never reports success",
          severity: "warning",
        };
        return;
      }
      // For the native format, each benchmark defines the success distance.
      if (format.name === "native") return;
      const { successDistanceM } = getProfile(format.profile);
      judgedBy = successDistanceM[episode.taskType] ?? successDistanceM.default;
      if (radius === judgedBy) return;
      const known = others.get(radius);
      if (known) known.count++;
      else others.set(radius, { episode: keyOf(episode), count: 1 });
    },
    *finish({ format }) {
      for (const [radius, { episode, count }] of others) {
        yield {
          episode,
          field: "goals.radius",
          value: radius,
          message: `${count} ${count === 1 ? "goal has" : "goals have"} the radius ${radius} m, but the profile ${format.profile} uses ${judgedBy} m`,
          hint: "set success_distance in the benchmark to use the file's radius",
        };
      }
    },
  };
}

import { getProfile } from "../../../core/profiles.js";
import { keyOf } from "../geometry.js";
import type { LintRule } from "../types.js";

/** A goal's radius that is 0, or another one than results on this format are judged by. */
export function goalRadius(): LintRule {
  const others = new Map<number, { readonly episode: string; count: number }>();
  let judgedBy = 0;
  return {
    code: "goal_radius",
    severity: "info",
    why: "the success distance is the profile's or the benchmark's, as in Habitat; a radius in the file is not read, so one that differs promises something else",
    *check(episode, { format }) {
      const { radius } = episode.goals;
      if (typeof radius !== "number") return;
      if (radius === 0) {
        yield {
          field: "goals.radius",
          value: radius,
          message:
            "within 0 m of a goal nobody ever is; a tool that reads the radius never sees success",
          severity: "warning",
        };
        return;
      }
      // Our own format is judged as each benchmark says.
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
          message: `${count} ${count === 1 ? "goal has" : "goals have"} the radius ${radius} m, and the profile ${format.profile} judges by ${judgedBy} m`,
          hint: "to judge by the file's radius, set success_distance in the benchmark",
        };
      }
    },
  };
}

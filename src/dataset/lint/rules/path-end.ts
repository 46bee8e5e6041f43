import { goalPoints } from "../../../core/episode/base.js";
import { getProfile } from "../../../core/profiles.js";
import { horizontal, pathsOf, toNearest } from "../geometry.js";
import type { LintContext, LintRule } from "../types.js";

/** Reference paths rarely end exactly at the goal's position. */
const MIN_DISTANCE_M = 0.5;

/** Finds reference paths that end so far from every goal that following them fails. */
export const pathEnd: LintRule = {
  code: "path_end",
  severity: "warning",
  why: "an agent that follows the reference exactly fails: path metrics and success contradict each other",
  *check(episode, context) {
    const goals = goalPoints(episode);
    if (goals.length === 0) return;
    const near = radius(episode.taskType, context);
    for (const { field, points } of pathsOf(episode)) {
      const last = points.at(-1);
      const away = last ? toNearest(last, goals, horizontal) : 0;
      if (away <= near) continue;
      yield {
        field: `${field}[${points.length - 1}]`,
        value: last,
        message: `${away.toFixed(2)} m from the nearest goal, measured horizontally; success requires ${near} m`,
      };
    }
  },
};

function radius(taskType: string, { format }: LintContext): number {
  const { successDistanceM } = getProfile(format.profile);
  return Math.max(MIN_DISTANCE_M, successDistanceM[taskType] ?? successDistanceM.default);
}

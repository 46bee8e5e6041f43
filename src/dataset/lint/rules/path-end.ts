import { goalPlaces } from "../../../core/episode/base.js";
import { getProfile } from "../../../core/profiles.js";
import { horizontal, pathsOf, toNearest } from "../geometry.js";
import type { LintContext, LintRule } from "../types.js";

/** Stopping places are not the goal's point to the centimetre. */
const LEAST_M = 0.5;

/** A reference path that ends so far from every goal that following it would be a failure. */
export const pathEnd: LintRule = {
  code: "path_end",
  severity: "warning",
  why: "an agent that follows the reference exactly fails: path metrics and success contradict each other",
  *check(episode, context) {
    const goals = goalPlaces(episode);
    if (goals.length === 0) return;
    const near = radius(episode.taskType, context);
    for (const { field, points } of pathsOf(episode)) {
      const last = points.at(-1);
      const away = last ? toNearest(last, goals, horizontal) : 0;
      if (away <= near) continue;
      yield {
        field: `${field}[${points.length - 1}]`,
        value: last,
        message: `${away.toFixed(2)} m from the nearest goal on the floor; success needs ${near} m`,
      };
    }
  },
};

function radius(taskType: string, { format }: LintContext): number {
  const { successDistanceM } = getProfile(format.profile);
  return Math.max(LEAST_M, successDistanceM[taskType] ?? successDistanceM.default);
}

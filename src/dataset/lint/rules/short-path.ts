import { goalPoints } from "../../../core/episode/base.js";
import { distance3 } from "../../../core/math/vec3.js";
import { pathsOf, startPlace, toNearest } from "../geometry.js";
import type { LintRule } from "../types.js";

/** Finds reference paths with no points, or with only one although the goal is elsewhere. */
export const shortPath: LintRule = {
  code: "short_path",
  severity: "error",
  why: "nDTW, SDTW and CLS compare with the reference path, which is empty or contains only the start",
  *check(episode) {
    const start = startPlace(episode);
    const goals = goalPoints(episode);
    for (const { field, points } of pathsOf(episode)) {
      if (points.length === 0) {
        yield {
          field,
          value: points,
          message: "the path has no points",
          hint: "remove the path or complete it",
        };
      } else if (points.length === 1 && start) {
        const away = toNearest(start.position, goals, distance3);
        if (!Number.isFinite(away) || away < 0.01) continue;
        yield {
          field,
          value: points,
          message: `the path has one point, but the goal is ${away.toFixed(2)} m from the start`,
        };
      }
    }
  },
};

import { goalPlaces } from "../../../core/episode/base.js";
import { distance3 } from "../../../core/math/vec3.js";
import { pathsOf, startPlace, toNearest } from "../geometry.js";
import type { LintRule } from "../types.js";

/** A reference path with no points, or with one although the goal is elsewhere. */
export const shortPath: LintRule = {
  code: "short_path",
  severity: "error",
  why: "nDTW, SDTW and CLS compare with the reference path; there is nothing to compare with, or only the start",
  *check(episode) {
    const start = startPlace(episode);
    const goals = goalPlaces(episode);
    for (const { field, points } of pathsOf(episode)) {
      if (points.length === 0) {
        yield {
          field,
          value: points,
          message: "the path has no points",
          hint: "leave the path out, or fill it in",
        };
      } else if (points.length === 1 && start) {
        const away = toNearest(start.position, goals, distance3);
        if (!Number.isFinite(away) || away < 0.01) continue;
        yield {
          field,
          value: points,
          message: `the path is one point, and the goal is ${away.toFixed(2)} m from the start`,
        };
      }
    }
  },
};

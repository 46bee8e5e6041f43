import { horizontal, pathsOf, startPlace } from "../geometry.js";
import type { LintRule } from "../types.js";

const NEAR_M = 0.5;
const FAR_M = 3;

/** A reference path that does not begin where the agent does. */
export const pathStart: LintRule = {
  code: "path_start",
  severity: "warning",
  why: "the agent cannot follow a path that begins elsewhere: path metrics punish it for the way there, and far off the path is likely another episode's",
  *check(episode) {
    const start = startPlace(episode);
    if (!start) return;
    for (const { field, points } of pathsOf(episode)) {
      const [first] = points;
      const away = first ? horizontal(first, start.position) : 0;
      if (away <= NEAR_M) continue;
      yield {
        field: `${field}[0]`,
        value: first,
        message: `${away.toFixed(2)} m from the start position on the floor`,
        severity: away > FAR_M ? "error" : "warning",
      };
    }
  },
};

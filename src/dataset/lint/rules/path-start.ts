import { horizontal, pathsOf, startPlace } from "../geometry.js";
import type { LintRule } from "../types.js";

const NEAR_M = 0.5;
const FAR_M = 3;

/** Finds reference paths that do not begin at the start position. */
export const pathStart: LintRule = {
  code: "path_start",
  severity: "warning",
  why: "the agent cannot follow a path that begins elsewhere: path metrics penalise the distance to it, and a distant path likely belongs to another episode",
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
        message: `${away.toFixed(2)} m from the start position, measured horizontally`,
        severity: away > FAR_M ? "error" : "warning",
      };
    }
  },
};

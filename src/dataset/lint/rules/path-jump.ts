import { distance3 } from "../../../core/math/vec3.js";
import { pathsOf } from "../geometry.js";
import type { LintRule } from "../types.js";

/** Finds consecutive points of a reference path that are too far apart. */
export const pathJump: LintRule = {
  code: "path_jump",
  severity: "warning",
  why: "points are missing or belong to another path, so distances to the path, and with them nDTW and CLS, are wrong there",
  *check(episode) {
    for (const { field, points, nodes, longestStepM } of pathsOf(episode)) {
      // On a graph, the edges are checked when the path is read, whatever their length.
      if (nodes) continue;
      for (let i = 1; i < points.length; i++) {
        const [a, b] = [points[i - 1], points[i]];
        if (!a || !b) continue;
        const step = distance3(a, b);
        if (step <= longestStepM) continue;
        yield {
          field: `${field}[${i}]`,
          value: b,
          message: `${step.toFixed(2)} m from the previous point (more than ${longestStepM} m)`,
        };
        break;
      }
    }
  },
};

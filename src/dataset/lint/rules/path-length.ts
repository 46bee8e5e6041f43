import { distance3 } from "../../../core/math/vec3.js";
import type { LintRule } from "../types.js";

/** R2R rounds to centimetres. */
const ROUNDING_M = 0.02;
/** The field names of R2R and RoboTHOR. */
const STATED = ["distance", "shortest_path_length"] as const;

/** Finds stated path lengths that differ from the length of the path. */
export const pathLength: LintRule = {
  code: "path_length",
  severity: "warning",
  why: "the file contradicts itself: the path was changed, or it was made on another version of the graph",
  *check({ referenceData, taskConfig }) {
    const points = referenceData?.path;
    if (!points) return;
    for (const key of STATED) {
      const stated = taskConfig[key];
      if (typeof stated !== "number" || !Number.isFinite(stated)) continue;
      let length = 0;
      for (let i = 1; i < points.length; i++) {
        const [a, b] = [points[i - 1], points[i]];
        if (a && b) length += distance3(a, b);
      }
      if (Math.abs(length - stated) <= ROUNDING_M) continue;
      yield {
        field: `task_config.${key}`,
        value: stated,
        message: `the file states ${stated} m, but its path is ${length.toFixed(2)} m long`,
      };
    }
  },
};

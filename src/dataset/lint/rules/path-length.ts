import { distance3 } from "../../../core/math/vec3.js";
import type { LintRule } from "../types.js";

/** R2R rounds to centimetres. */
const ROUNDING_M = 0.02;
/** R2R's word for it, and RoboTHOR's. */
const STATED = ["distance", "shortest_path_length"] as const;

/** A path length in the file that is not the length of its path. */
export const pathLength: LintRule = {
  code: "path_length",
  severity: "warning",
  why: "the file's own numbers contradict each other: the path was changed, or the graph is of another version than the one it was made on",
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
        message: `the file says ${stated} m, and its path is ${length.toFixed(2)} m long`,
      };
    }
  },
};

import { goalPoints } from "../../../core/episode/base.js";
import { distance3 } from "../../../core/math/vec3.js";
import { startPlace, toNearest } from "../geometry.js";
import type { LintRule } from "../types.js";

const SAME_PLACE_M = 0.01;

/** Finds episodes that start at their goal. */
export const zeroDistance: LintRule = {
  code: "zero_distance",
  severity: "warning",
  why: "doing nothing succeeds, and path efficiency divides by a shortest path of length 0: SPL is 1 without a step and 0 with one, and other evaluators return NaN",
  *check(episode) {
    const start = startPlace(episode);
    if (!start) return;
    const goals = goalPoints(episode);
    const distance = toNearest(start.position, goals, distance3);
    const node = goals.find((goal) => goal.node !== undefined && goal.node === start.node)?.node;
    if (node === undefined && !(distance <= SAME_PLACE_M)) return;
    yield {
      field: "goals",
      value: node ?? start.position,
      message:
        node === undefined
          ? `a goal is ${(distance * 1000).toFixed(1)} mm from the start`
          : "start and goal are the same viewpoint",
      hint: "remove the episode, or compare success with and without it",
    };
  },
};

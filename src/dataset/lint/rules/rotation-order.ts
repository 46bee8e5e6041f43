import type { QuatXyzw } from "../../../core/math/rotation.js";
import type { LintRule } from "../types.js";

/** About one degree. */
const TILT = 0.01;

/**
 * A start rotation that is not about the vertical as [x, y, z, w] and would be as [w, x, y, z]: half of
 * robotics writes w first.
 */
export const rotationOrder: LintRule = {
  code: "rotation_order",
  severity: "error",
  why: "navigation starts upright, and read as [x, y, z, w] this start is not; with w in the wrong place every heading is wrong and nothing else shows it",
  *check({ startState: { rotation } }) {
    if (!rotation || isUpright(rotation) || !isUpright(wxyzAsXyzw(rotation))) return;
    yield {
      field: "start_state.rotation",
      value: rotation,
      message: "as [x, y, z, w] the agent does not stand upright, as [w, x, y, z] it does",
      hint: "likely the order is w first: write [x, y, z, w]",
    };
  },
};

/** Turned about +y alone, so that x and z are 0. */
export function isUpright([x, , z]: QuatXyzw): boolean {
  return Math.hypot(x, z) <= TILT;
}

/** What the numbers say when the first of them is w. */
export function wxyzAsXyzw([w, x, y, z]: QuatXyzw): QuatXyzw {
  return [x, y, z, w];
}

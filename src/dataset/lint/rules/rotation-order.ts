import type { QuatXyzw } from "../../../core/math/rotation.js";
import type { LintRule } from "../types.js";

/** About one degree. */
const TILT = 0.01;

/** Finds start rotations that are upright only if read as [w, x, y, z]. Many robotics tools write w first. */
export const rotationOrder: LintRule = {
  code: "rotation_order",
  severity: "error",
  why: "navigation starts upright, but read as [x, y, z, w] this start is tilted; with w in the wrong position every heading is wrong without any other symptom",
  *check({ startState: { rotation } }) {
    if (!rotation || isUpright(rotation) || !isUpright(wxyzAsXyzw(rotation))) return;
    yield {
      field: "start_state.rotation",
      value: rotation,
      message: "the agent is tilted if this is [x, y, z, w], but upright if it is [w, x, y, z]",
      hint: "write [x, y, z, w]; the order is likely w first",
    };
  },
};

/** True if the rotation is about +y alone, so that x and z are 0. */
export function isUpright([x, , z]: QuatXyzw): boolean {
  return Math.hypot(x, z) <= TILT;
}

/** Reinterprets the numbers with w first. */
export function wxyzAsXyzw([w, x, y, z]: QuatXyzw): QuatXyzw {
  return [x, y, z, w];
}

import type { LintRule } from "../types.js";
import { isUpright, wxyzAsXyzw } from "./rotation-order.js";

/** Finds start rotations that are tilted in either order of their numbers. */
export const tiltedStart: LintRule = {
  code: "tilted_start",
  severity: "warning",
  why: "navigation starts upright; only the heading of a tilted rotation is used, and it may not be the intended one",
  *check({ startState: { rotation } }) {
    if (!rotation || isUpright(rotation) || isUpright(wxyzAsXyzw(rotation))) return;
    const [x, y, z, w] = rotation;
    // The angle between the agent's up axis and the world's; its cosine is 1 - 2 (x² + z²).
    const degrees = (Math.acos(Math.max(-1, 1 - 2 * (x * x + z * z))) * 180) / Math.PI;
    const aboutZ = Math.hypot(x, y) < 0.01 && Math.abs(w) > 0;
    yield {
      field: "start_state.rotation",
      value: rotation,
      message: `the agent's up axis is ${degrees.toFixed(1)}° from the vertical (+y)`,
      hint: aboutZ
        ? "convert positions and rotations to y-up; the rotation is about z, so the axes are likely z-up"
        : "check that the axes are Habitat's, y up, and that the order is [x, y, z, w]",
    };
  },
};

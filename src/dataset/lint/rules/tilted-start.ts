import type { LintRule } from "../types.js";
import { isUpright, wxyzAsXyzw } from "./rotation-order.js";

/** A start rotation that is not about the vertical in either order of its numbers. */
export const tiltedStart: LintRule = {
  code: "tilted_start",
  severity: "warning",
  why: "navigation starts upright; of a tilted rotation only the heading is used, and it may be another one than was meant",
  *check({ startState: { rotation } }) {
    if (!rotation || isUpright(rotation) || isUpright(wxyzAsXyzw(rotation))) return;
    const [x, y, z, w] = rotation;
    // How far the agent's up is from the world's: its cosine is 1 - 2 (x² + z²).
    const degrees = (Math.acos(Math.max(-1, 1 - 2 * (x * x + z * z))) * 180) / Math.PI;
    const aboutZ = Math.hypot(x, y) < 0.01 && Math.abs(w) > 0;
    yield {
      field: "start_state.rotation",
      value: rotation,
      message: `the agent's up is ${degrees.toFixed(1)}° from the vertical (+y)`,
      hint: aboutZ
        ? "it turns about z: likely the axes are z-up; positions and rotations must be converted to y-up"
        : "are these Habitat's axes, y up, and is the order [x, y, z, w]?",
    };
  },
};

import type { LintRule } from "../types.js";

/** Five decimals, as some files are rounded to, leave 1e-5. */
const TOLERANCE = 1e-4;

/** A rotation that is nearly of length 1. One that is not nearly so is not read at all. */
export const quaternionNorm: LintRule = {
  code: "quaternion_norm",
  severity: "warning",
  why: "a rotation is a quaternion of length 1; what a longer or shorter one means depends on whether the reader normalises it",
  *check({ startState: { rotation } }) {
    if (!rotation) return;
    const norm = Math.hypot(...rotation);
    if (Math.abs(norm - 1) <= TOLERANCE) return;
    yield {
      field: "start_state.rotation",
      value: rotation,
      message: `its length is ${norm.toFixed(5)}`,
      hint: "divide the four numbers by it",
    };
  },
};

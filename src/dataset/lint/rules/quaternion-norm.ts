import type { LintRule } from "../types.js";

/** Some files are rounded to five decimals, which gives errors of 1e-5. */
const TOLERANCE = 1e-4;

/** Finds rotations whose length is close to 1 but not equal. The reader rejects larger deviations. */
export const quaternionNorm: LintRule = {
  code: "quaternion_norm",
  severity: "warning",
  why: "a rotation is a quaternion of length 1; the meaning of any other length depends on whether the reader normalises it",
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

import { z } from "zod";
import { atLeast, atMost } from "../../measurement.js";
import { thing } from "../../params.js";
import type { MeasuredPredicate } from "../../predicate.js";

const params = z.union([
  z.strictObject({ joint: thing, at_least: z.number() }),
  z.strictObject({ joint: thing, at_most: z.number() }),
]);

/** In benchmarks whose thresholds are positions, `turned_on` and `open` would need the joint's range. */
export const jointAt: MeasuredPredicate<z.output<typeof params>> = {
  name: "joint_at",
  summary: "the position of the joint (m or rad) is `at_least` or `at_most` the given value",
  params,
  needs: ({ joint }) => [{ joint }],
  measure: (asked, { now }) => {
    const position = now.joint(asked.joint);
    return "at_least" in asked
      ? atLeast(position, asked.at_least)
      : atMost(position, asked.at_most);
  },
};

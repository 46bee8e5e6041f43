import { z } from "zod";
import { atLeast } from "../measurement.js";
import { thing } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

const params = z.strictObject({ object: thing });

/** The test of robosuite for a grasp. A touch without force counts, unlike for `grasped`. The value is the number of fingers. */
export const fingerContact: MeasuredPredicate<z.output<typeof params>> = {
  name: "finger_contact",
  summary: "both fingers are in contact with it, with any force",
  params,
  needs: ({ object }) => [{ object, aspect: "finger_contact" }],
  measure: ({ object }, { now }) =>
    atLeast(now.object(object, "fingers_touch").filter(Boolean).length, 2),
};

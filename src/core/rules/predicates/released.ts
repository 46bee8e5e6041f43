import { z } from "zod";
import { atMost } from "../measurement.js";
import { thing } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

const params = z.strictObject({ object: thing });

/** The value is the number of fingers on it, or 1 if only another part of the robot touches it. */
export const released: MeasuredPredicate<z.output<typeof params>> = {
  name: "released",
  summary: "no finger presses on it, and no other part of the robot touches it",
  params,
  needs: ({ object }) => [
    { object, aspect: "fingers" },
    { object, aspect: "robot_contact" },
  ],
  measure: ({ object }, { now }) => {
    const fingers = now.object(object, "fingers_n").filter((force) => force > 0).length;
    return atMost(Math.max(fingers, now.object(object, "robot_touches") ? 1 : 0), 0);
  },
};

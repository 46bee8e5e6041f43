import { z } from "zod";
import { atMost } from "../measurement.js";
import { thing } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

const params = z.strictObject({ object: thing, turn_radps: z.number().nonnegative().default(0.5) });

/** The default is that of ManiSkill. */
export const notTurning: MeasuredPredicate<z.output<typeof params>> = {
  name: "not_turning",
  summary: "its angular speed is at most `turn_radps` (0.5 rad/s)",
  params,
  needs: ({ object }) => [{ object, aspect: "motion" }],
  measure: ({ object, turn_radps }, { now }) =>
    atMost(now.object(object, "turn_radps"), turn_radps),
};

import { z } from "zod";
import { atLeast } from "../../measurement.js";
import { thing } from "../../params.js";
import type { MeasuredPredicate } from "../../predicate.js";
import { fingersOn, GRASP_N } from "../grasped.js";

const params = z.strictObject({
  fixture: thing,
  force_n: z.number().positive().default(GRASP_N),
  speed: z.number().positive().default(0.01),
});

/** One finger suffices, because a handle can be hooked. The value is the fixture's speed, or 0 while no finger presses. */
export const pulled: MeasuredPredicate<z.output<typeof params>> = {
  name: "pulled",
  summary:
    "the fixture opens at `speed` (0.01 m/s or rad/s) or faster while a finger presses with at least `force_n` (0.5 N)",
  params,
  needs: ({ fixture }) => [
    { fixture, aspect: "opening" },
    { fixture, aspect: "fingers" },
  ],
  measure: ({ fixture, force_n, speed }, { now }) => {
    const pressed = Math.max(...fingersOn({ fixture }, now)) >= force_n;
    return atLeast(pressed ? now.fixture(fixture, "speed") : 0, speed);
  },
};

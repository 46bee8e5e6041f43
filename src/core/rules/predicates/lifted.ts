import { z } from "zod";
import { atLeast } from "../measurement.js";
import { thing } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";
import { GRASP_N, steadyN } from "./grasped.js";

const params = z.strictObject({
  object: thing,
  height_m: z.number().default(0.1),
  held: z.boolean().default(false),
});

/** With `held`, the value is 0 while the object is not grasped. */
export const lifted: MeasuredPredicate<z.output<typeof params>> = {
  name: "lifted",
  summary:
    "its lowest point is at least `height_m` (0.1 m) above its start; with `held`, only while it is grasped",
  params,
  needs: ({ object, held }) => [
    { object, aspect: "pose" },
    ...(held ? [{ object, aspect: "fingers" } as const] : []),
  ],
  measure: ({ object, height_m, held }, { now, before, first }) => {
    const counts = !held || steadyN({ object }, now, before) >= GRASP_N;
    return atLeast(counts ? now.lowestM(object) - first.lowestM(object) : 0, height_m);
  },
};

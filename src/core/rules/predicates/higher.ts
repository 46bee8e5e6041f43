import { z } from "zod";
import { atLeast } from "../measurement.js";
import { areTwo, NOT_TWO, pair } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

const params = pair.extend({ by_m: z.number().default(0) }).refine(areTwo, NOT_TWO);

export const higher: MeasuredPredicate<z.output<typeof params>> = {
  name: "higher",
  summary: "the centre of `object` is at least `by_m` (0 m) above that of `base`",
  params,
  needs: ({ object, base }) => [
    { object, aspect: "pose" },
    { object: base, aspect: "pose" },
  ],
  measure: ({ object, base, by_m }, { now }) =>
    atLeast(now.pose(object).position[2] - now.pose(base).position[2], by_m),
};

import type { z } from "zod";
import { atMost } from "../measurement.js";
import { areTwo, metres, NOT_TWO, pair } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";
import { SLACK_M } from "./above.js";

const params = pair.extend({ gap_m: metres.default(SLACK_M) }).refine(areTwo, NOT_TWO);

export const onTop: MeasuredPredicate<z.output<typeof params>> = {
  name: "on_top",
  summary:
    "the lowest point of `object` is within `gap_m` (0.005 m) of the highest point of `base`",
  params,
  needs: ({ object, base }) => [
    { object, aspect: "pose" },
    { object: base, aspect: "pose" },
  ],
  measure: ({ object, base, gap_m }, { now }) =>
    atMost(Math.abs(now.lowestM(object) - now.highestM(base)), gap_m),
};

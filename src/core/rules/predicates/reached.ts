import type { z } from "zod";
import { atMost } from "../measurement.js";
import { handled, handledNeed, metres } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

const params = handled({ within_m: metres.default(0.05) });

export const reached: MeasuredPredicate<z.output<typeof params>> = {
  name: "reached",
  summary:
    "the end effector is within `within_m` (0.05 m) of the object's surface or the fixture's handle",
  params,
  needs: (asked) => [handledNeed(asked, "pose", "reach")],
  measure: (asked, { now }) =>
    atMost(
      "object" in asked ? now.reachM(asked.object) : now.fixture(asked.fixture, "reach_m"),
      asked.within_m,
    ),
};

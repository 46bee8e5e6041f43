import { z } from "zod";
import { atMost } from "../measurement.js";
import { handledNeed, metres, thing } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

const within_m = metres.default(0.05);
const params = z.union([
  z.strictObject({ object: thing, within_m, to: z.enum(["centre", "box"]).default("box") }),
  z.strictObject({ fixture: thing, within_m }),
]);

export const reached: MeasuredPredicate<z.output<typeof params>> = {
  name: "reached",
  summary:
    "the end effector is within `within_m` (0.05 m) of the object's bounding box, with `to: centre` of its centre, or of the fixture's handle",
  params,
  needs: (asked) => [handledNeed(asked, "pose", "reach")],
  measure: (asked, { now }) =>
    atMost(
      "object" in asked
        ? now.reachM(asked.object, asked.to)
        : now.fixture(asked.fixture, "reach_m"),
      asked.within_m,
    ),
};

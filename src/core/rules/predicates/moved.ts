import { z } from "zod";
import { distance3 } from "../../math/vec3.js";
import { atLeast } from "../measurement.js";
import { handledNeed, metres, share, thing } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

const params = z.union([
  z.strictObject({ object: thing, distance_m: metres.default(0.05) }),
  z.strictObject({ fixture: thing, fraction: share.default(0.05) }),
]);

export const moved: MeasuredPredicate<z.output<typeof params>> = {
  name: "moved",
  summary:
    "since the start, the object has moved by at least `distance_m` (0.05 m), or the fixture has opened by at least `fraction` (0.05) of its range",
  params,
  needs: (asked) => [handledNeed(asked, "pose", "opening")],
  measure: (asked, { now, first }) => {
    if ("object" in asked) {
      const { object, distance_m } = asked;
      return atLeast(distance3(now.pose(object).position, first.pose(object).position), distance_m);
    }
    const { fixture, fraction } = asked;
    return atLeast(now.fixture(fixture, "opened") - first.fixture(fixture, "opened"), fraction);
  },
};

import { z } from "zod";
import { distance3 } from "../../math/vec3.js";
import { atLeast } from "../measurement.js";
import { metres, share, thing } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

const params = z.union([
  z.strictObject({ object: thing, distance_m: metres.default(0.05) }),
  z.strictObject({ fixture: thing, fraction: share.default(0.05) }),
]);

export const moved: MeasuredPredicate<z.output<typeof params>> = {
  name: "moved",
  summary:
    "since the start, an object has moved `distance_m` (0.05 m), or a fixture has opened by `fraction` (0.05) of its range",
  params,
  needs: (asked) => [
    "object" in asked
      ? { object: asked.object, aspect: "pose" }
      : { fixture: asked.fixture, aspect: "opening" },
  ],
  measure: (asked, { now, first }) => {
    if ("object" in asked) {
      const { object, distance_m } = asked;
      return atLeast(distance3(now.pose(object).position, first.pose(object).position), distance_m);
    }
    const { fixture, fraction } = asked;
    return atLeast(now.fixture(fixture, "opened") - first.fixture(fixture, "opened"), fraction);
  },
};

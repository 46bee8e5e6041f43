import type { z } from "zod";
import type { Vec3 } from "../../math/vec3.js";
import { atMost } from "../measurement.js";
import { areTwo, metres, NOT_TWO, pair } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

/** Added to half the diagonal of the base, as in ManiSkill. */
export const SLACK_M = 0.005;

const params = pair.extend({ within_m: metres.optional() }).refine(areTwo, NOT_TWO);

export const above: MeasuredPredicate<z.output<typeof params>> = {
  name: "above",
  summary:
    "the horizontal distance between the centres of `object` and `base` is at most `within_m` (half the diagonal of the base + 0.005 m)",
  params,
  needs: ({ object, base }) => [
    { object, aspect: "pose" },
    { object: base, aspect: "pose" },
  ],
  measure: ({ object, base, within_m }, { now }) => {
    const [from, to] = [now.pose(object).position, now.pose(base).position];
    const [dx, dy] = [from[0] - to[0], from[1] - to[1]];
    return atMost(Math.hypot(dx, dy), within_m ?? cornerM(now.sizeM(base)));
  },
};

/** Half the diagonal of the base plus a margin: ManiSkill's rule for cubes, generalised to any size. */
function cornerM(size: Vec3): number {
  return Math.hypot(size[0] / 2, size[1] / 2) + SLACK_M;
}

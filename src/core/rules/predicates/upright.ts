import { z } from "zod";
import { rotate } from "../../math/quat-wxyz.js";
import { atMost } from "../measurement.js";
import { thing } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

const params = z.strictObject({
  object: thing,
  within_deg: z.number().min(0).max(180).default(15),
});

export const upright: MeasuredPredicate<z.output<typeof params>> = {
  name: "upright",
  summary: "its z axis is within `within_deg` (15 degrees) of the vertical",
  params,
  needs: ({ object }) => [{ object, aspect: "pose" }],
  measure: ({ object, within_deg }, { now }) => {
    const [, , z] = rotate(now.pose(object).rotation_wxyz, [0, 0, 1]);
    return atMost((Math.acos(Math.min(1, Math.max(-1, z))) * 180) / Math.PI, within_deg);
  },
};

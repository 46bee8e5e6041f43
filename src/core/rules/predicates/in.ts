import { z } from "zod";
import { vec3Schema } from "../../episode/number-lists.js";
import type { Pose3 } from "../../interfaces/manipulation-view.js";
import { atMost } from "../measurement.js";
import { metres, thing } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";
import { distanceToBox } from "../shape.js";

const within_m = metres.default(0);
const params = z.union([
  z.strictObject({ object: thing, container: thing, within_m }),
  z.strictObject({
    object: thing,
    region: z.strictObject({ center: vec3Schema, size: vec3Schema }),
    within_m,
  }),
]);

/** The value is the distance of the object's centre from the box; 0 inside. */
export const inside: MeasuredPredicate<z.output<typeof params>> = {
  name: "in",
  summary:
    "its centre is in the bounding box of the object `container` or in `region` ({center, size}), or at most `within_m` (0 m) outside",
  params,
  needs: (asked) => [
    { object: asked.object, aspect: "pose" },
    ...("container" in asked ? [{ object: asked.container, aspect: "pose" } as const] : []),
  ],
  measure: (asked, { now }) => {
    const [box, size] =
      "container" in asked
        ? [now.pose(asked.container), now.sizeM(asked.container)]
        : [upright(asked.region.center), asked.region.size];
    return atMost(distanceToBox(now.pose(asked.object).position, box, size), asked.within_m);
  },
};

function upright(position: Pose3["position"]): Pose3 {
  return { position, rotation_wxyz: [1, 0, 0, 0] };
}

import { z } from "zod";
import { atLeast } from "../../measurement.js";
import { share, thing } from "../../params.js";
import type { MeasuredPredicate } from "../../predicate.js";

const params = z.strictObject({
  object: thing,
  camera: z.string().min(1).default("head"),
  share: share.default(0.001),
});

/** The default is `min_object_coverage_iou` of HomeRobot's OVMM. */
export const fillsImage: MeasuredPredicate<z.output<typeof params>> = {
  name: "fills_image",
  summary: "its visible part fills at least `share` (0.001) of the image of `camera` (`head`)",
  params,
  needs: ({ object, camera }) => [{ view: object, camera }],
  measure: ({ object, camera, share: least }, { now }) =>
    atLeast(now.view(object, camera).image_share, least),
};

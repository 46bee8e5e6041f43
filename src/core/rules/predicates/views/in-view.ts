import { z } from "zod";
import { atLeast } from "../../measurement.js";
import { share, thing } from "../../params.js";
import type { MeasuredPredicate } from "../../predicate.js";

const params = z.strictObject({
  object: thing,
  camera: z.string().min(1).default("head"),
  share: share.default(0.1),
});

export const inView: MeasuredPredicate<z.output<typeof params>> = {
  name: "in_view",
  summary:
    "at least `share` (0.1) of its surface that faces `camera` (`head`) is in the image and not hidden by anything",
  params,
  needs: ({ object, camera }) => [{ view: object, camera }],
  measure: ({ object, camera, share: least }, { now }) =>
    atLeast(now.view(object, camera).share, least),
};

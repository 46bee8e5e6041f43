import { z } from "zod";
import { isTrue } from "../../measurement.js";
import { thing } from "../../params.js";
import type { MeasuredPredicate } from "../../predicate.js";

const params = z.strictObject({ object: thing, camera: z.string().min(1).default("head") });

export const visible: MeasuredPredicate<z.output<typeof params>> = {
  name: "visible",
  summary: "its centre is in the image of `camera` (`head`); occlusion is ignored",
  params,
  needs: ({ object, camera }) => [{ seen: object, camera }],
  measure: ({ object, camera }, { now }) => isTrue(now.isSeen(object, camera)),
};

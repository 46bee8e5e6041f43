import { z } from "zod";
import { isTrue } from "../measurement.js";
import { thing } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

const params = z.strictObject({ object: thing, camera: z.string().min(1).default("head") });

export const visible: MeasuredPredicate<z.output<typeof params>> = {
  name: "visible",
  summary: "its middle is in the picture of `camera` (`head`); what stands in front does not count",
  params,
  needs: ({ object, camera }) => [{ seen: object, camera }],
  measure: ({ object, camera }, { now }) => isTrue(now.isSeen(object, camera)),
};

import { z } from "zod";
import { FLAGS } from "../facts.js";
import { isTrue } from "../measurement.js";
import type { MeasuredPredicate } from "../predicate.js";

const params = z.strictObject({ flag: z.enum(FLAGS) });

export const flag: MeasuredPredicate<z.output<typeof params>> = {
  name: "flag",
  summary: "the simulator reports `flag`: `object_grasped`, `object_lifted` or `object_placed`",
  params,
  needs: () => [{ reported: true }],
  measure: (asked, { now }) => isTrue(now.facts.reported?.[asked.flag] === true),
};

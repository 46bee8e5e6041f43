import type { z } from "zod";
import { isTrue } from "../measurement.js";
import { areTwo, NOT_TWO, pair } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

const params = pair.refine(areTwo, NOT_TWO);

export const touching: MeasuredPredicate<z.output<typeof params>> = {
  name: "touching",
  summary: "`object` is in contact with `base`",
  params,
  needs: ({ object, base }) => [{ contact: [object, base] }],
  measure: ({ object, base }, { now }) => isTrue(now.touching(object, base)),
};

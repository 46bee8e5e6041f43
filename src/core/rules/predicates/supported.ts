import { z } from "zod";
import { atLeast } from "../measurement.js";
import { areTwo, NOT_TWO, pair } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

/** The cosine of 45 degrees: steeper contacts are leaning, not standing. */
const UPWARD = 0.7;

const params = pair
  .extend({ upward: z.number().min(0).max(1).default(UPWARD) })
  .refine(areTwo, NOT_TWO);

/** Unlike `on_top`, any surface of the base counts, such as a lower shelf. */
export const supported: MeasuredPredicate<z.output<typeof params>> = {
  name: "supported",
  summary:
    "`object` stands on any surface of `base`: they touch, and the contact's normal has a vertical component of at least `upward` (0.7)",
  params,
  needs: ({ object, base }) => [
    { object, aspect: "touches" },
    { object: base, aspect: "pose" },
  ],
  measure: ({ object, base, upward }, { now }) =>
    atLeast(now.object(object, "touches")[base] ?? 0, upward),
};

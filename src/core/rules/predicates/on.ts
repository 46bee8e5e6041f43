import type { z } from "zod";
import { areTwo, metres, NOT_TWO, pair } from "../params.js";
import type { CompoundPredicate } from "../predicate.js";

const params = pair
  .extend({ within_m: metres.optional(), gap_m: metres.optional() })
  .refine(areTwo, NOT_TWO);

/** LIBERO's `On` requires contact and near centres; `on_top` additionally excludes an object beside its base. */
export const on: CompoundPredicate<z.output<typeof params>> = {
  name: "on",
  summary: "`object` is `above` its `base`, `on_top` of it and `touching` it",
  params,
  rule: ({ object, base, within_m, gap_m }) => ({
    all: [
      { above: { object, base, ...(within_m === undefined ? {} : { within_m }) } },
      { on_top: { object, base, ...(gap_m === undefined ? {} : { gap_m }) } },
      { touching: { object, base } },
    ],
  }),
};

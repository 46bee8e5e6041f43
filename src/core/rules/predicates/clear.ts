import { z } from "zod";
import { atMost } from "../measurement.js";
import { thing } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

const params = z.strictObject({ object: thing });

/** The value is the number of things that it touches. */
export const clear: MeasuredPredicate<z.output<typeof params>> = {
  name: "clear",
  summary: "it touches nothing but the robot",
  params,
  needs: ({ object }) => [{ object, aspect: "touches" }],
  measure: ({ object }, { now }) => atMost(Object.keys(now.object(object, "touches")).length, 0),
};

import { z } from "zod";
import { isTrue } from "../measurement.js";
import type { MeasuredPredicate } from "../predicate.js";

const params = z.strictObject({});

export const reportedSuccess: MeasuredPredicate<z.output<typeof params>> = {
  name: "reported_success",
  summary: "the simulator's own success check holds",
  params,
  needs: () => [{ reported: true }],
  measure: (_, { now }) => isTrue(now.facts.reported?.success === true),
};

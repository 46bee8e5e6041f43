import { z } from "zod";
import { atLeast } from "../../measurement.js";
import { share, thing } from "../../params.js";
import type { MeasuredPredicate } from "../../predicate.js";

const params = z.strictObject({ joint: thing, fraction: share.default(0.5) });

export const turnedOn: MeasuredPredicate<z.output<typeof params>> = {
  name: "turned_on",
  summary: "the joint of a knob or switch is at `fraction` (0.5) of its range or above",
  params,
  needs: ({ joint }) => [{ joint }],
  measure: ({ joint, fraction }, { now }) => atLeast(now.jointShare(joint), fraction),
};

import { z } from "zod";
import { atMost } from "../../measurement.js";
import { share, thing } from "../../params.js";
import type { MeasuredPredicate } from "../../predicate.js";

const params = z.strictObject({ joint: thing, fraction: share.default(0.05) });

export const turnedOff: MeasuredPredicate<z.output<typeof params>> = {
  name: "turned_off",
  summary: "the joint of a knob or switch is at `fraction` (0.05) of its range or below",
  params,
  needs: ({ joint }) => [{ joint }],
  measure: ({ joint, fraction }, { now }) => atMost(now.jointShare(joint), fraction),
};

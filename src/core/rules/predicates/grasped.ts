import { z } from "zod";
import { atLeast } from "../measurement.js";
import type { StepFacts } from "../moment.js";
import { type Handled, handled, handledNeed } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

/** Minimum force of each finger on a grasped object, as in ManiSkill. */
export const GRASP_N = 0.5;

const params = handled({ force_n: z.number().positive().default(GRASP_N) });

/**
 * Both fingers press in this and the previous control step, because a single step may be a bump. The value is the smallest
 * of the four forces.
 */
export const grasped: MeasuredPredicate<z.output<typeof params>> = {
  name: "grasped",
  summary: "both fingers press with at least `force_n` (0.5 N) in two consecutive steps",
  params,
  needs: (asked) => [handledNeed(asked, "fingers", "fingers")],
  measure: (asked, { now, before }) => atLeast(steadyN(asked, now, before), asked.force_n),
};

/** Smallest force of a finger in this and the previous step. */
export function steadyN(asked: Handled, now: StepFacts, before: StepFacts | undefined): number {
  return Math.min(weakerN(asked, now), before ? weakerN(asked, before) : 0);
}

function weakerN(asked: Handled, step: StepFacts): number {
  return Math.min(...fingersOn(asked, step));
}

export function fingersOn(asked: Handled, step: StepFacts): readonly [number, number] {
  return "object" in asked
    ? step.object(asked.object, "fingers_n")
    : step.fixture(asked.fixture, "fingers_n");
}

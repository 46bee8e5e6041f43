import { z } from "zod";
import { atLeast } from "../measurement.js";
import type { StepFacts } from "../moment.js";
import { type Handled, handled } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

/** Newtons of each finger from which on something counts as held; ManiSkill's. */
export const GRASP_N = 0.5;

const params = handled({ force_n: z.number().positive().default(GRASP_N) });

/**
 * Both fingers press on it, in this control step and the one before: a single step may be a bump. The value is
 * the force of the weaker finger in the weaker step.
 */
export const grasped: MeasuredPredicate<z.output<typeof params>> = {
  name: "grasped",
  summary: "both fingers press with `force_n` (0.5 N) for two steps in a row",
  params,
  needs: (asked) => [
    "object" in asked
      ? { object: asked.object, aspect: "fingers" }
      : { fixture: asked.fixture, aspect: "fingers" },
  ],
  measure: (asked, { now, before }) => atLeast(steadyN(asked, now, before), asked.force_n),
};

/** Newtons of the weaker finger over two steps in a row. */
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

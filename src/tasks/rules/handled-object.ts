import type { SuccessCriteria } from "../../core/rules/criteria.js";
import type { Rule } from "../../core/rules/rule.js";
import { HOLD_STEPS } from "./goals.js";

interface HandledObject {
  readonly object: string;
  readonly liftM: number;
  /** Conditions for the object to be at its target. */
  readonly there: readonly Rule[];
  /** Name of the stage in which it is at its target. */
  readonly stage: string;
}

/** Criteria of pick and place, and of stacking: the object was grasped and lifted, and rests released at its target. */
export function handledObject({ object, liftM, there, stage }: HandledObject): SuccessCriteria {
  const grasped: Rule = { once: { grasped: { object } } };
  const carried: Rule = { lifted: { object, height_m: liftM, held: true } };
  const lifted: Rule = { once: carried };
  const still: readonly Rule[] = [{ at_rest: { object } }, { not_turning: { object } }];
  const released: Rule = { released: { object } };
  const placed: Rule = { all: [lifted, ...there, ...still] };
  return {
    success: {
      hold: { steps: HOLD_STEPS, rule: { all: [grasped, lifted, ...there, ...still, released] } },
    },
    stages: {
      reached: { reached: { object } },
      grasped: { grasped: { object } },
      lifted: carried,
      [stage]: placed,
      released: { all: [placed, released] },
    },
    target: object,
    measures: { reach_m: { reached: { object } }, lift_m: { lifted: { object } } },
    flags: {
      object_grasped: grasped,
      object_lifted: lifted,
      // Held as long as success, so that the three flags together equal success.
      object_placed: {
        hold: { steps: HOLD_STEPS, rule: { all: [...there, ...still, released] } },
      },
    },
  };
}

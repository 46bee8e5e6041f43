import type { SuccessCriteria } from "../../core/rules/criteria.js";
import type { Rule } from "../../core/rules/rule.js";
import { HOLD_STEPS } from "./goals.js";

interface HandledObject {
  readonly object: string;
  readonly liftM: number;
  /** What it takes to be where it belongs. */
  readonly there: readonly Rule[];
  /** The name of the stage in which it is there. */
  readonly stage: string;
}

/** An object was held and carried, and now stays by itself where it belongs: pick and place, and stacking. */
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
      // For as long as success asks, so that the three together are success and not the moment before it.
      object_placed: {
        hold: { steps: HOLD_STEPS, rule: { all: [...there, ...still, released] } },
      },
    },
  };
}

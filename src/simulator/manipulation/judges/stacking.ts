import type { Facts } from "./facts.js";
import { Grip, REACHED_M } from "./grip.js";
import { released, settled } from "./settled.js";
import { allHold, atLeast, atMost, type Judge, Steady, type Verdict } from "./verdict.js";

export interface StackingRule {
  readonly object: string;
  readonly base: string;
  readonly liftM: number;
  /** Metres, level, between the two middles. */
  readonly toleranceM: number;
}

/** Robosuite's for Stack; a base worth the name is higher. */
export const DEFAULT_STACK_LIFT_M = 0.04;

/** Metres added to the reach of the base's corner, and allowed between top and bottom; ManiSkill's. */
const SLACK_M = 0.005;

/** The middle may be anywhere above the base: ManiSkill's rule for cubes, said of any size. */
export function defaultStackTolerance(baseSizeM: readonly [number, number, number]): number {
  return Math.hypot(baseSizeM[0] / 2, baseSizeM[1] / 2) + SLACK_M;
}

/**
 * `stacked`: an object was held and carried, and now rests on another by itself.
 *
 * | condition | value | holds |
 * |---|---|---|
 * | grasped, lifted | as for `grasp_and_lift` | stay |
 * | above_base | m between the middles, level | <= toleranceM |
 * | on_top | m between its lowest point and the base's highest | <= 0.005 |
 * | on_base | 1 in contact with the base, 0 not | 1 |
 * | at_rest, not_turning, released | as for `grasp_and_lift` | |
 */
export class StackingJudge implements Judge {
  readonly watches: readonly string[];
  readonly #rule: StackingRule;
  readonly #grip: Grip;
  readonly #won = new Steady();
  readonly #placed = new Steady();

  constructor(rule: StackingRule) {
    this.#rule = rule;
    this.#grip = new Grip(rule.liftM);
    this.watches = [rule.object, rule.base];
  }

  reset(): void {
    this.#grip.reset();
    this.#won.reset();
    this.#placed.reset();
  }

  update(facts: Facts): Verdict {
    const { object: name, base: baseName, toleranceM } = this.#rule;
    const object = facts.objects[name];
    const base = facts.objects[baseName];
    if (!object || !base) throw new Error(`the facts lack ${object ? baseName : name}`);
    const grip = this.#grip;
    grip.update(object);
    const { grasped, lifted } = grip;
    const [dx, dy] = [object.position[0] - base.position[0], object.position[1] - base.position[1]];
    const contact = facts.touching.some((pair) => pair.includes(name) && pair.includes(baseName));
    const there = [
      atMost("above_base", Math.hypot(dx, dy), toleranceM),
      atMost("on_top", Math.abs(object.lowestM - base.highestM), SLACK_M),
      atLeast("on_base", contact ? 1 : 0, 1),
    ];
    const rest = settled(object);
    const conditions = [grasped, lifted, ...there, ...rest];
    const stacked = lifted.holds && allHold([...there, ...rest.slice(0, 2)]);
    return {
      conditions,
      stages: {
        reached: object.reachM <= REACHED_M,
        grasped: grip.held,
        lifted: grip.carried,
        stacked,
        released: stacked && released(object).holds,
      },
      success: this.#won.update(allHold(conditions)),
      target: name,
      reach_m: object.reachM,
      lift_m: grip.liftM,
      object_grasped: grasped.holds,
      object_lifted: lifted.holds,
      object_placed: this.#placed.update(allHold([...there, ...rest])),
    };
  }
}

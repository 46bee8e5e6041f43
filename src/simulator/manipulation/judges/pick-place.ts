import type { Vec3 } from "../../../core/math/vec3.js";
import type { Facts } from "./facts.js";
import { Grip, REACHED_M } from "./grip.js";
import { released, settled } from "./settled.js";
import { allHold, atMost, type Judge, Steady, type Verdict } from "./verdict.js";

export interface PickPlaceRule {
  readonly object: string;
  /** Where the object's middle is to come. */
  readonly target: Vec3;
  readonly liftM: number;
  readonly toleranceM: number;
}

export const DEFAULT_LIFT_M = 0.1;
export const DEFAULT_TOLERANCE_M = 0.05;

/**
 * `grasp_and_lift`: an object was held and carried high enough, and is at the target now.
 *
 * | condition | value | holds |
 * |---|---|---|
 * | grasped | N of the weaker finger, the best two steps in a row so far | >= 0.5, stays |
 * | lifted | m of the lowest point above its start, the most so far while held | >= liftM, stays |
 * | at_target | m from the target, level | <= toleranceM |
 * | at_height | m above or below the target | <= toleranceM |
 * | at_rest | m/s | <= 0.01 |
 * | not_turning | rad/s | <= 0.5 |
 * | released | fingers on it | 0 |
 */
export class PickPlaceJudge implements Judge {
  readonly watches: readonly string[];
  readonly #rule: PickPlaceRule;
  readonly #grip: Grip;
  readonly #won = new Steady();
  readonly #placed = new Steady();

  constructor(rule: PickPlaceRule) {
    this.#rule = rule;
    this.#grip = new Grip(rule.liftM);
    this.watches = [rule.object];
  }

  reset(): void {
    this.#grip.reset();
    this.#won.reset();
    this.#placed.reset();
  }

  update(facts: Facts): Verdict {
    const { object: name, target, toleranceM } = this.#rule;
    const object = facts.objects[name];
    if (!object) throw new Error(`the facts lack ${name}`);
    const grip = this.#grip;
    grip.update(object);
    const { grasped, lifted } = grip;
    const [x, y, z] = object.position;
    const there = [
      atMost("at_target", Math.hypot(x - target[0], y - target[1]), toleranceM),
      atMost("at_height", Math.abs(z - target[2]), toleranceM),
    ];
    const rest = settled(object);
    const conditions = [grasped, lifted, ...there, ...rest];
    const placed = lifted.holds && allHold([...there, ...rest.slice(0, 2)]);
    return {
      conditions,
      stages: {
        reached: object.reachM <= REACHED_M,
        grasped: grip.held,
        lifted: grip.carried,
        placed,
        released: placed && released(object).holds,
      },
      success: this.#won.update(allHold(conditions)),
      target: name,
      reach_m: object.reachM,
      lift_m: grip.liftM,
      object_grasped: grasped.holds,
      object_lifted: lifted.holds,
      // For as long as success asks, so that the three together are success and not the moment before it.
      object_placed: this.#placed.update(allHold([...there, ...rest])),
    };
  }
}

import type { FixtureSpec } from "../world.js";
import type { Facts, FixtureFacts } from "./facts.js";
import { GRASP_N, REACHED_M } from "./grip.js";
import { allHold, atLeast, atMost, type Judge, Steady, type Verdict } from "./verdict.js";

export interface OpeningRule {
  readonly fixture: string;
  readonly kind: FixtureSpec["kind"];
  /** The share of its range that it has to be open. */
  readonly fraction: number;
}

/** ManiSkill's for cabinets. */
export const DEFAULT_FRACTION = 0.75;

/** Of the joint, m/s and rad/s; ManiSkill's. */
const REST = { drawer: 0.1, door: 1 } as const;

/** The share of the range after which a fixture counts as moved, and the speed as moving (a second). */
const MOVED = 0.05;
const MOVING = 0.01;

/**
 * `opened`: a drawer or a door is open far enough and no longer swings.
 *
 * | condition | value | holds |
 * |---|---|---|
 * | opened | share of the range | >= fraction |
 * | at_rest | m/s of a drawer, rad/s of a door | <= 0.1, <= 1 |
 *
 * How it was opened is not judged. The stage `grasped` is a grip with both fingers, or one finger that draws
 * the fixture open: a handle may be hooked.
 */
export class OpeningJudge implements Judge {
  readonly watches: readonly string[];
  readonly #rule: OpeningRule;
  readonly #won = new Steady();
  #start: number | undefined;
  #pressedN = 0;

  constructor(rule: OpeningRule) {
    this.#rule = rule;
    this.watches = [rule.fixture];
  }

  reset(): void {
    this.#won.reset();
    this.#start = undefined;
    this.#pressedN = 0;
  }

  update(facts: Facts): Verdict {
    const { fixture: name, kind, fraction } = this.#rule;
    const fixture = facts.fixtures[name];
    if (!fixture) throw new Error(`the facts lack ${name}`);
    this.#start ??= fixture.opened;
    const opened = atLeast("opened", fixture.opened, fraction);
    const conditions = [opened, atMost("at_rest", Math.abs(fixture.speed), REST[kind])];
    return {
      conditions,
      stages: {
        reached: fixture.reachM <= REACHED_M,
        grasped: this.#grasped(fixture),
        moved: fixture.opened - this.#start >= MOVED,
        opened: opened.holds,
      },
      success: this.#won.update(allHold(conditions)),
      target: name,
      reach_m: fixture.reachM,
    };
  }

  #grasped({ fingersN, speed }: FixtureFacts): boolean {
    const weakerN = Math.min(...fingersN);
    const held = Math.min(weakerN, this.#pressedN) >= GRASP_N;
    this.#pressedN = weakerN;
    return held || (Math.max(...fingersN) >= GRASP_N && speed >= MOVING);
  }
}

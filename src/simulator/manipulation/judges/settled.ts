import type { Condition } from "../../../core/interfaces/step.js";
import type { ObjectFacts } from "./facts.js";
import { atMost } from "./verdict.js";

/** What ManiSkill calls static. */
const REST_MPS = 0.01;
const REST_RADPS = 0.5;

/** An object that stays by itself where it is: it does not move, and the robot is off it. */
export function settled(object: ObjectFacts): readonly Condition[] {
  const { speedMps, turnRadps } = object;
  return [
    atMost("at_rest", speedMps, REST_MPS),
    atMost("not_turning", turnRadps, REST_RADPS),
    released(object),
  ];
}

/** The value is the number of fingers on it; 1 where another part of the robot touches it. */
export function released({ fingersN, robotTouches }: ObjectFacts): Condition {
  const fingers = fingersN.filter((force) => force > 0).length;
  return atMost("released", Math.max(fingers, robotTouches ? 1 : 0), 0);
}

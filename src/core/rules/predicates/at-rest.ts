import { z } from "zod";
import { atMost } from "../measurement.js";
import { handled, handledNeed } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

/** ManiSkill's limits: m/s for objects and drawers, rad/s for doors. */
const OBJECT_MPS = 0.01;
const FIXTURE: Readonly<Record<string, number>> = { drawer: 0.1, door: 1 };

const params = handled({ speed: z.number().nonnegative().optional() });

export const atRest: MeasuredPredicate<z.output<typeof params>> = {
  name: "at_rest",
  summary: "its speed is at most `speed` (object 0.01 m/s, drawer 0.1 m/s, door 1 rad/s)",
  params,
  needs: (asked) => [handledNeed(asked, "motion", "opening")],
  measure: (asked, { now }) => {
    if ("object" in asked) {
      return atMost(now.object(asked.object, "speed_mps"), asked.speed ?? OBJECT_MPS);
    }
    const { fixture, speed } = asked;
    return atMost(
      Math.abs(now.fixture(fixture, "speed")),
      speed ?? FIXTURE[now.kind(fixture)] ?? OBJECT_MPS,
    );
  },
};

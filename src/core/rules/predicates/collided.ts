import { z } from "zod";
import { atLeast } from "../measurement.js";
import type { MeasuredPredicate } from "../predicate.js";

/** Below it, contacts are grazes. */
const COLLISION_N = 1;

const params = z.strictObject({ force_n: z.number().positive().default(COLLISION_N) });

export const collided: MeasuredPredicate<z.output<typeof params>> = {
  name: "collided",
  summary:
    "the robot presses with at least `force_n` (1 N) on what is fixed to the ground, such as walls and tables, except the floor",
  params,
  needs: () => [{ collisions: true }],
  measure: ({ force_n }, { now }) => atLeast(now.collisionN, force_n),
};

import type { Random } from "../../core/math/random.js";

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.uniform();
}

/** Interpolates from `a` at share 0 to `b` at share 1, exactly at both ends. */
export function blend(a: number, b: number, share: number): number {
  return (1 - share) * a + share * b;
}

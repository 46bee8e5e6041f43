import type { Vec3 } from "../../core/math/vec3.js";

/**
 * The derivative of order k of a sampled motion, from that of order k - 1, by divided differences:
 *
 *     d_i = k (c_i+1 - c_i) / (t_i+k - t_i)
 *
 * Exact for polynomials of degree k with time steps of any length. Repeated differences at interval
 * midpoints are not: with unequal steps, their error in the third derivative does not vanish as the steps
 * shrink. Returns one value fewer than given. `times` are those of the positions, strictly increasing.
 */
export function derivative(
  times: readonly number[],
  values: readonly Vec3[],
  order: 1 | 2 | 3,
): Vec3[] {
  return values.slice(1).map((after, i) => {
    const before = values[i] as Vec3;
    const factor = order / ((times[i + order] as number) - (times[i] as number));
    return [
      (after[0] - before[0]) * factor,
      (after[1] - before[1]) * factor,
      (after[2] - before[2]) * factor,
    ];
  });
}

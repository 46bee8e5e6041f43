import type { Vec3 } from "../../core/math/vec3.js";

/**
 * From the derivative of order k - 1 of a sampled motion to that of order k, by divided differences:
 *
 *     d_i = k (c_i+1 - c_i) / (t_i+k - t_i)
 *
 * Exact for polynomials of degree k, whatever the steps of time. (Putting each difference at the middle
 * of its two and differencing again is not: on uneven steps its error in the third derivative does not
 * vanish as the steps shrink.) One value fewer than given; `times` are those of the positions, strictly
 * increasing.
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

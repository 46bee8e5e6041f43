// Angles and numbers. Headings are the simulator's: radians, counter-clockwise from above, 0 along -z.

/** `+ 0` turns -0 into 0. */
export const round = (value, digits) => Math.round(value * 10 ** digits) / 10 ** digits + 0;

export const between = (random, low, high) => low + (high - low) * random.uniform();

/** The turn at `here` in degrees, positive to the left, on the path from `before` to `next`. */
export function angleAt(before, here, next) {
  return turnFrom(bearing(before, here), here, next);
}

/** Degrees to the left from a heading to the direction of `next`, in (-180, 180]. */
export function turnFrom(heading, here, next) {
  const degrees = ((bearing(here, next) - heading) * 180) / Math.PI;
  return degrees - 360 * Math.ceil((degrees - 180) / 360);
}

/** As the simulator's headings: radians, counter-clockwise seen from above, 0 along -z. */
const bearing = (from, to) => Math.atan2(from[0] - to[0], from[2] - to[2]);

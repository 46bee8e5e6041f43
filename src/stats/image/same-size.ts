/** Two images that are compared pixel by pixel have equally many values, and some. */
export function checkSameSize(a: ArrayLike<number>, b: ArrayLike<number>): void {
  if (a.length === b.length && a.length > 0) return;
  throw new RangeError(
    `images of ${a.length} and ${b.length} values cannot be compared: give two of the same size that are not empty`,
  );
}

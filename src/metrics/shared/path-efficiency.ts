/**
 * Shortest over travelled length, d0 / max(d0, L), in [0, 1]: the factor that SPL and soft SPL share.
 *
 * Starting on the goal (d0 = 0) the quotient is undefined, and systems differ: Habitat divides by
 * zero, valan gives 0. Here, as in AllenAct and NDH, staying is perfect and any movement is worthless.
 * An unreachable goal has no shortest path and so no efficiency: null.
 */
export function pathEfficiency(shortestM: number, travelledM: number): number | null {
  if (shortestM === Number.POSITIVE_INFINITY) return null;
  if (shortestM === 0) return travelledM === 0 ? 1 : 0;
  return shortestM / Math.max(shortestM, travelledM);
}

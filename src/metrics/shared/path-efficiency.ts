/**
 * Shortest over travelled length, d0 / max(d0, L), in [0, 1]: the factor that SPL and soft SPL share.
 *
 * If the start is on the goal (d0 = 0) the quotient is undefined, and systems differ: Habitat divides by
 * zero, valan gives 0. Here, as in AllenAct and NDH, it is 1 without movement and 0 with any.
 * An unreachable goal has no shortest path, so the efficiency is null.
 */
export function pathEfficiency(shortestM: number, travelledM: number): number | null {
  if (shortestM === Number.POSITIVE_INFINITY) return null;
  if (shortestM === 0) return travelledM === 0 ? 1 : 0;
  return shortestM / Math.max(shortestM, travelledM);
}

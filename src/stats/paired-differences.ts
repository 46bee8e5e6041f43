import { checkFinite, checkSameLength } from "./arguments.js";

/**
 * Second run minus first, episode by episode: above zero where the second run's value is greater.
 * Both lists hold the same episodes in the same order.
 */
export function pairedDifferences(first: readonly number[], second: readonly number[]): number[] {
  checkSameLength(first, second, "values of the first run", "of the second");
  checkFinite(first, "first");
  checkFinite(second, "second");
  return second.map((value, i) => value - (first[i] as number));
}

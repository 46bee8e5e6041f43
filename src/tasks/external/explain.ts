import type { EpisodeEnd } from "../../core/task/base.js";

/**
 * Why an episode in a remote simulator failed: which sub-conditions were met and when, and the first one that never was.
 * Undefined for successes.
 *
 * @param order of the sub-conditions; if empty, that of the records
 */
export function explainExternal(end: EpisodeEnd, order: readonly string[]): string | undefined {
  const { succeeded, endReason, steps, lastState, handling } = end;
  if (succeeded) return undefined;
  const how = endReason === "done" ? `the simulator ended it after ${steps} steps` : undefined;
  const after = how ?? `${endReason} after ${steps} steps`;
  const stages = lastState.stages ?? {};
  const names = order.length > 0 ? order : Object.keys(stages);
  const memory = handling?.stages ?? {};
  const met = names.filter((name) => memory[name]);
  const missed = names.find((name) => !memory[name]);
  const reward =
    typeof lastState.reward === "number" ? `; last reward ${short(lastState.reward)}` : "";
  if (names.length === 0)
    return `the simulator's success check did not hold at the end (${after})${reward}`;
  const reached = met.map((name) => `${name} (step ${memory[name]?.first})`).join(", ");
  if (missed !== undefined) {
    const so =
      met.length > 0 ? `reached ${reached} but never ${missed}` : `never reached ${missed}`;
    return `${so} (${after})${reward}`;
  }
  const lost = names.filter((name) => !stages[name]);
  const then =
    lost.length > 0
      ? lost.map((name) => `${name} was lost after step ${memory[name]?.last}`).join(", ")
      : "all hold, yet the simulator's success check does not";
  return `reached ${reached}; ${then} (${after})${reward}`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

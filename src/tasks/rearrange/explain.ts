import type { StepState } from "../../core/interfaces/step.js";
import type { EpisodeEnd, ManipulationSummary } from "../../core/task/base.js";

/** An object that sinks by more than this after it was lost was dropped, not put down. */
const FALL_M = 0.05;

/** How the sentences call the object and the goal receptacle: "the mug", "the desk". */
export interface Names {
  readonly object: string;
  readonly goal: string;
  /** `in` for a drawer. */
  readonly preposition: "on" | "in";
}

/** The way to a success; undefined for other rules than `rearranged`. */
export function explainSuccess(
  { handling }: EpisodeEnd,
  { object, goal, preposition }: Names,
): string | undefined {
  const { find_object, pick, place } = handling?.stages ?? {};
  if (!find_object || !pick || !place) return undefined;
  return `found ${object} in step ${find_object.first}, picked it in step ${pick.first} and placed it ${preposition} ${goal} in step ${place.first}`;
}

/** Why an episode failed: the first stage that was not reached. Undefined for other rules than `rearranged`. */
export function explainFailure(
  { lastState, handling }: EpisodeEnd,
  names: Names,
): string | undefined {
  const { error, stages } = lastState;
  if (error) return typeof error === "string" ? error : "the simulation diverged";
  if (!handling || stages?.find_receptacle === undefined) return undefined;
  const { object, goal, preposition } = names;
  const { find_object, pick, find_receptacle, place } = handling.stages;
  if (!find_object) return notFound(object, "object", handling);
  if (!pick) return notPicked(object, find_object.first, handling);
  const picked = `picked ${object} in step ${pick.first}`;
  const lost = lostBefore(goal, handling, lastState);
  if (lost) return `${picked}, ${lost}`;
  if (!find_receptacle) return `${picked}, ${notFound(goal, "receptacle", handling)}`;
  if (place) {
    return `${picked}, placed it ${preposition} ${goal} in step ${place.first}, but it did not stay`;
  }
  return `${picked}, ${notPlaced(names, lastState)}`;
}

function notFound(
  name: string,
  kind: "object" | "receptacle",
  { extremes }: ManipulationSummary,
): string {
  const closest = extremes[`${kind}_distance_m`];
  const view = extremes[`${kind}_view`];
  if (!closest) return `never found ${name}`;
  if (!view || view.most === 0) {
    return `never came closer than ${metres(closest.least)} to ${name} and never saw it`;
  }
  const share = `saw at most ${Math.floor(view.most * 100)} % of it`;
  return `came within ${metres(closest.least)} of ${name} and ${share}, never near and in view at once`;
}

function notPicked(object: string, found: number, { carried }: ManipulationSummary): string {
  const so = `found ${object} in step ${found}`;
  return carried
    ? `${so} and lifted it in step ${carried.first}, but lost it at once`
    : `${so} but never held it clear of its support`;
}

/** Where the object is that was picked and is no longer held; undefined if it is held or on the goal. */
function lostBefore(
  goal: string,
  { carried }: ManipulationSummary,
  end: StepState,
): string | undefined {
  const left = end.goal_distance_m;
  if (!carried?.after || typeof left !== "number" || left === 0) return undefined;
  const fell = heightOf(carried.state) - heightOf(end) > FALL_M;
  return `${fell ? "dropped it" : "put it down"} ${metres(left)} before ${goal} (step ${carried.last + 1})`;
}

function notPlaced({ goal, preposition }: Names, end: StepState): string {
  const { goal_distance_m, carried, conditions = [] } = end;
  if (carried === 1 && typeof goal_distance_m === "number") {
    return `still held it ${metres(goal_distance_m)} from ${goal} at the end`;
  }
  const missing = conditions.find(({ name, holds }) => !holds && name !== "sequence");
  if (!missing) return `it was ${preposition} ${goal}, but not for long enough`;
  if (missing.name === "on_goal")
    return `brought it to ${goal}, but it does not stand ${preposition} it`;
  if (missing.name === "released") return `brought it to ${goal}, but did not let go of it`;
  if (missing.name === "not collided") {
    return `placed it ${preposition} ${goal}, but had collided with ${missing.value.toFixed(0)} N (allowed less than ${missing.threshold})`;
  }
  return `placed it ${preposition} ${goal}, but ${missing.name} was ${missing.value.toFixed(3)}, needs ${missing.threshold}`;
}

function heightOf({ objects = {}, target }: StepState): number {
  return typeof target === "string" ? (objects[target]?.position[2] ?? 0) : 0;
}

function metres(distance: number): string {
  return `${distance.toFixed(1)} m`;
}

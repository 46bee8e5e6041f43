import { STOP } from "../../../core/interfaces/action.js";
import type { StepRecord } from "../../../core/interfaces/step.js";
import { distance3, samePoint, type Vec3 } from "../../../core/math/vec3.js";
import type { WhyInput } from "./input.js";

/** Distances to the goal over an episode, in metres. */
export interface GoalDistances {
  readonly start: number;
  readonly last: number;
  readonly least: number;
}

/** Undefined if a record has no distance. */
export function goalDistances(records: readonly StepRecord[]): GoalDistances | undefined {
  const distances = records.flatMap(({ state }) => state.distance_to_goal ?? []);
  const [start] = distances;
  const last = distances.at(-1);
  if (start === undefined || last === undefined || distances.length < records.length)
    return undefined;
  return { start, last, least: distances.reduce((a, b) => Math.min(a, b)) };
}

/** Undefined if a record has no position. */
export function positions(records: readonly StepRecord[]): readonly Vec3[] | undefined {
  const found = records.flatMap(({ state }) => (state.position ? [state.position] : []));
  return found.length === records.length && found.length > 0 ? found : undefined;
}

export function lengthOf(path: readonly Vec3[]): number {
  return path.slice(1).reduce((sum, point, i) => sum + distance3(path[i] as Vec3, point), 0);
}

/** Removes consecutive equal points, which come from turning on the spot. */
export function withoutRepeats(path: readonly Vec3[]): Vec3[] {
  return path.filter((point, i) => i === 0 || !samePoint(path[i - 1] as Vec3, point));
}

export function stopped(records: readonly StepRecord[]): boolean {
  return records.at(-1)?.action === STOP;
}

/** 1 if the robot arrived by the rules, else 0. */
export function arrival({ records, rules }: WhyInput): number | undefined {
  const distances = goalDistances(records);
  if (!distances) return undefined;
  if (rules.stopRequired && !stopped(records)) return 0;
  return distances.last < rules.successDistanceM ? 1 : 0;
}

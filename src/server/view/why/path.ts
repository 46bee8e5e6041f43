import { STOP } from "../../../core/interfaces/action.js";
import type { StepRecord } from "../../../core/interfaces/step.js";
import { distance3, samePoint, type Vec3 } from "../../../core/math/vec3.js";
import type { Explain, Explanation, WhyInput } from "./input.js";

/** Distances to the goal over an episode, in metres. */
interface GoalDistances {
  readonly start: number;
  readonly last: number;
  readonly least: number;
}

/** Undefined if a record has no distance. */
function goalDistances(records: readonly StepRecord[]): GoalDistances | undefined {
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
function withoutRepeats(path: readonly Vec3[]): Vec3[] {
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

/** An explanation that needs the distance to the goal at every step. */
export function withDistances(
  explain: (distances: GoalDistances, input: WhyInput) => Explanation | undefined,
): Explain {
  return (input) => {
    const distances = goalDistances(input.records);
    return distances && explain(distances, input);
  };
}

/** A path and its reference. */
interface Paths {
  readonly path: readonly Vec3[];
  readonly reference: readonly Vec3[];
}

/** An explanation that compares a path with its reference. */
export function withPaths(
  pathsOf: (input: WhyInput) => Partial<Paths>,
  explain: (paths: Paths, input: WhyInput) => Explanation | undefined,
): Explain {
  return (input) => {
    const { path, reference = [] } = pathsOf(input);
    if (!path || reference.length === 0) return undefined;
    return explain({ path: withoutRepeats(path), reference }, input);
  };
}

import { type Action, actionName } from "../../core/interfaces/action.js";
import type { ActionSpace } from "../../core/task/types.js";
import type { WrittenFeature } from "./written.js";

/** Encodes a task's actions as numeric features. */
export interface ActionCode {
  readonly features: Readonly<Record<string, WrittenFeature>>;
  /** Returns the values by feature. */
  encode(action: Action): Readonly<Record<string, readonly number[]>>;
}

/**
 * Keeps a vector unchanged. Encodes a named action as a one-hot vector, which suits regression and
 * classification, and additionally as an index (`discrete_action`). In `hybrid` spaces the one-hot vector
 * follows the continuous one, and the values of the kind that was not chosen are 0.
 *
 * LeRobot treats every feature whose name begins with "action" as an action and learns the first one, so
 * `action` comes first.
 */
export function actionCode(space: ActionSpace): ActionCode {
  const names = space.actions ?? [];
  const vector = Array.from({ length: space.size }, (_, i) => `action_${i}`);
  const labels = [...vector, ...names];
  const action: WrittenFeature = { dtype: "float32", shape: [labels.length], names: labels };
  const encode = (taken: Action): number[] =>
    typeof taken === "string"
      ? [...vector.map(() => 0), ...names.map((name) => Number(name === actionName(taken)))]
      : [...taken.map(Math.fround), ...names.map(() => 0)];
  if (space.name !== "discrete") {
    return { features: { action }, encode: (taken) => ({ action: encode(taken) }) };
  }
  return {
    features: { action, discrete_action: { dtype: "int64", shape: [1], names: null } },
    encode: (taken) => ({
      action: encode(taken),
      discrete_action: [typeof taken === "string" ? names.indexOf(actionName(taken)) : -1],
    }),
  };
}

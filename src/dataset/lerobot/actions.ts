import { type Action, actionName } from "../../core/interfaces/action.js";
import type { ActionSpace } from "../../core/task/types.js";
import type { WrittenFeature } from "./written.js";

/** How a task's actions stand in a dataset of numbers. */
export interface ActionCode {
  readonly features: Readonly<Record<string, WrittenFeature>>;
  /** By feature. */
  encode(action: Action): Readonly<Record<string, readonly number[]>>;
}

/**
 * A vector as it is; a name as one 1 among zeros, so that it can be regressed as well as classified, and
 * beside it by its number (`discrete_action`). Where a task has both (`hybrid`), the names follow the vector, and
 * the numbers of whichever was not chosen are 0.
 *
 * LeRobot takes every feature whose name begins with "action" for an action and the first for the one to
 * learn, so `action` comes first.
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

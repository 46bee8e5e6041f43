/**
 * What a policy does in one step: the name of a discrete action (`"move_forward"`; with an argument,
 * `"goto:<node>"`), or a vector of numbers in the order of the robot's degrees of freedom.
 */
export type Action = string | readonly number[];

/** Ends the episode wherever it is offered. */
export const STOP = "stop";

/** `goto` of `goto:abc`; a plain action's own name. */
export function actionName(action: string): string {
  const colon = action.indexOf(":");
  return colon === -1 ? action : action.slice(0, colon);
}

/** `abc` of `goto:abc`; undefined for a plain action. */
export function actionArgument(action: string): string | undefined {
  const colon = action.indexOf(":");
  return colon === -1 ? undefined : action.slice(colon + 1);
}

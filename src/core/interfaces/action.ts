/**
 * What a policy does in one step: the name of a discrete action (`"move_forward"`; with an argument,
 * `"goto:<node>"`), or a vector of numbers in the order of the robot's degrees of freedom.
 */
export type Action = string | readonly number[];

/** Ends the episode, in every action space that has it. */
export const STOP = "stop";

/** `goto` of `goto:abc`; the action itself if it has no argument. */
export function actionName(action: string): string {
  const colon = action.indexOf(":");
  return colon === -1 ? action : action.slice(0, colon);
}

/** `abc` of `goto:abc`; undefined without an argument. */
export function actionArgument(action: string): string | undefined {
  const colon = action.indexOf(":");
  return colon === -1 ? undefined : action.slice(colon + 1);
}

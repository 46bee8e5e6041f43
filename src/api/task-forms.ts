/** Built-in task types whose actions are names. */
const NAVIGATION: readonly string[] = ["vln", "objectnav", "image_nav"];

/** Built-in task types whose actions are vectors, or `stop`. */
const MANIPULATION: readonly string[] = ["manipulation", "pick_place", "stacking", "opening"];

/**
 * The form of a task type's actions, for callers that have no action space: a name, a vector, or either for other
 * task types.
 */
export function formOf(taskType: string): "name" | "vector" | "either" {
  if (NAVIGATION.includes(taskType)) return "name";
  return MANIPULATION.includes(taskType) ? "vector" : "either";
}

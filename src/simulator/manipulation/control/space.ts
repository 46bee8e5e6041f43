import { ProtocolError, show } from "../../../core/errors.js";
import { type ActionRange, ActionSpace } from "../../../core/task/types.js";

/** A mode's vector, beside the names that the task offers. */
export function controlSpace(
  base: ActionSpace | undefined,
  range: ActionRange & { readonly length: number },
  meanings: readonly string[],
): ActionSpace {
  return new ActionSpace({
    name: base?.name === "hybrid" ? "hybrid" : "continuous",
    actions: base?.actions ?? [],
    shape: [meanings.length],
    range,
    semantics: Object.fromEntries(meanings.map((text, i) => [`action[${i}]`, text])),
  });
}

/** The action's numbers, as many as the space has, all finite; else a ProtocolError. */
export function vectorOf(space: ActionSpace, action: readonly number[]): readonly number[] {
  const parsed = space.parse(action);
  if (typeof parsed !== "string") return parsed;
  throw new ProtocolError("bad_action", `${show(action)} is a name, not a list of numbers`);
}

import { ProtocolError, show } from "../../../core/errors.js";
import { type ActionRange, ActionSpace } from "../../../core/task/types.js";

/** The action space of a control mode: its vector, and the named actions of the task. */
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

/** @throws ProtocolError if the action has another length or a value that is not finite */
export function vectorOf(space: ActionSpace, action: readonly number[]): readonly number[] {
  const parsed = space.parse(action);
  if (typeof parsed !== "string") return parsed;
  throw new ProtocolError("bad_action", `${show(action)} is not a list of numbers`);
}

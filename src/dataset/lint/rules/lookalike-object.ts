import type { LintRule } from "../types.js";
import { rearrangeOf } from "./rearrange-episode.js";

/** Finds rearrange episodes with another object of the target's category and colour. */
export const lookalikeObject: LintRule = {
  code: "lookalike_object",
  severity: "warning",
  why: "an instruction names objects by category and colour: a policy that takes the other one has understood it too",
  *check(episode) {
    const { target_object, objects = [] } = rearrangeOf(episode) ?? {};
    const target = objects.find(({ name }) => name === target_object?.name);
    if (!target?.model) return;
    const kindOf = (model = "") => model.slice(0, model.indexOf("/"));
    const same = objects.find((other) => {
      return (
        other.name !== target.name &&
        kindOf(other.model) === kindOf(target.model) &&
        JSON.stringify(other.color) === JSON.stringify(target.color)
      );
    });
    if (!same) return;
    yield {
      field: "goals.target_object.name",
      value: target.name,
      message: `"${same.name}" is a ${kindOf(same.model)} of the same colour`,
      hint: "use another model, or say in the instruction where the object stands and check that by hand",
    };
  },
};

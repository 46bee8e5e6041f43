import type { LintRule } from "../types.js";
import { rearrangeOf } from "./rearrange-episode.js";

/** Finds rearrange episodes whose object is already where it should go. */
export const sameReceptacle: LintRule = {
  code: "same_receptacle",
  severity: "error",
  why: "the object already stands on the goal, so that lifting it and putting it back counts as success",
  *check(episode) {
    const { start_receptacle, target_location } = rearrangeOf(episode) ?? {};
    if (!start_receptacle || !target_location) return;
    const field = "goals.target_location.receptacle";
    if (start_receptacle.name === target_location.receptacle) {
      yield { field, value: target_location.receptacle, message: "start and goal are the same" };
      return;
    }
    const { category } = target_location;
    if (category === undefined || category !== start_receptacle.category) return;
    yield {
      field: "goals.target_location.category",
      value: category,
      message: `start and goal are both of the category ${category}, which OVMM's episodes never are`,
      severity: "warning",
    };
  },
};

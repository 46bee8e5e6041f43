import type { LintRule } from "../types.js";
import { rearrangeOf } from "./rearrange-episode.js";

/** Finds rearrange episodes that do not say what to take from where to where, or whose object is not there. */
export const missingTarget: LintRule = {
  code: "missing_target",
  severity: "error",
  why: "the success rule needs the object and the goal receptacle, so such an episode is marked invalid when it runs",
  *check(episode) {
    const found = rearrangeOf(episode);
    if (!found) return;
    const { target_object, target_location, start_receptacle, objects } = found;
    if (!target_object) {
      yield { field: "goals.target_object", message: "no object is named" };
    } else if (!objects.some(({ name }) => name === target_object.name)) {
      yield {
        field: "goals.target_object.name",
        value: target_object.name,
        message: "the object is not in task_config.scene_objects",
        hint: `they are ${objects.map(({ name }) => name).join(", ") || "empty"}`,
      };
    }
    if (!target_location) {
      yield { field: "goals.target_location.receptacle", message: "no receptacle is named" };
    }
    if (!start_receptacle) {
      yield {
        field: "goals.start_receptacle",
        message: "no receptacle is named, so results cannot be told apart by it",
        severity: "info",
      };
    }
  },
};

import type { LintRule } from "../types.js";
import { rearrangeOf } from "./rearrange-episode.js";

/** Names of drawers in generated apartments. */
const DRAWER = /_drawer_\d+$/;

/** Finds rearrange episodes without an object or a receptacle in their goals, or whose object or drawer is not in the scene. */
export const missingTarget: LintRule = {
  code: "missing_target",
  severity: "error",
  why: "the success rule needs the object and the goal receptacle, so such an episode is marked invalid when it runs",
  *check(episode) {
    const found = rearrangeOf(episode);
    if (!found) return;
    const { target_object, target_location, start_receptacle, objects, drawers } = found;
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
    for (const [field, name] of [
      ["goals.start_receptacle.name", start_receptacle?.name],
      ["goals.target_location.receptacle", target_location?.receptacle],
    ] as const) {
      if (name === undefined || !DRAWER.test(name)) continue;
      if (drawers.some((drawer) => drawer.name === name)) continue;
      yield {
        field,
        value: name,
        message: "the drawer is not in task_config.drawers, so it is a part of its furniture",
        hint: `add {"name": "${name}", "opened": 0.3}`,
      };
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

import type { CriteriaPreset } from "../../core/rules/criteria.js";
import { HANDLING_SETTINGS, readGoals, STACKING_PARTS, stackingGoals } from "./goals.js";
import { handledObject } from "./handled-object.js";

/** As in robosuite's Stack task. */
const LIFT_M = 0.04;

export const stacked: CriteriaPreset = {
  summary: "the object was grasped and lifted, and rests on another one, released",
  stages: ["reached", "grasped", "lifted", "stacked", "released"],
  settings: HANDLING_SETTINGS,
  goals: STACKING_PARTS,
  criteria(goals) {
    const { target_object, target_location, success_criteria } = readGoals(goals, stackingGoals);
    const { place_tolerance: within_m } = success_criteria;
    const [object, base] = [target_object.name, target_location.object];
    return handledObject({
      object,
      liftM: success_criteria.lift_height ?? LIFT_M,
      there: [
        {
          above: {
            name: "above_base",
            object,
            base,
            ...(within_m === undefined ? {} : { within_m }),
          },
        },
        { on_top: { object, base } },
        { touching: { name: "on_base", object, base } },
      ],
      stage: "stacked",
    });
  },
};

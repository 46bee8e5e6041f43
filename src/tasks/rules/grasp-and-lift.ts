import type { CriteriaPreset } from "../../core/rules/criteria.js";
import { HANDLING_SETTINGS, PICK_PLACE_PARTS, pickPlaceGoals, readGoals } from "./goals.js";
import { handledObject } from "./handled-object.js";

const LIFT_M = 0.1;
const TOLERANCE_M = 0.05;

export const graspAndLift: CriteriaPreset = {
  summary: "the object was grasped and lifted, and rests at the target, released",
  stages: ["reached", "grasped", "lifted", "placed", "released"],
  settings: HANDLING_SETTINGS,
  goals: PICK_PLACE_PARTS,
  criteria(goals) {
    const { target_object, target_location, success_criteria } = readGoals(goals, pickPlaceGoals);
    const object = target_object.name;
    const target = target_location.position;
    const within_m = success_criteria.place_tolerance ?? TOLERANCE_M;
    return handledObject({
      object,
      liftM: success_criteria.lift_height ?? LIFT_M,
      there: [
        { near: { name: "at_target", object, target, within_m, axes: "xy" } },
        { near: { name: "at_height", object, target, within_m, axes: "z" } },
      ],
      stage: "placed",
    });
  },
};

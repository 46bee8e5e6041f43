import type { CriteriaPreset } from "../../core/rules/criteria.js";
import type { Rule } from "../../core/rules/rule.js";
import { REARRANGING_PARTS, REARRANGING_SETTINGS, readGoals, rearrangingGoals } from "./goals.js";
import { rearrangementLimits } from "./rearrangement-limits.js";

/** Stages of HomeRobot's OVMM (Yenamandra et al. 2023, arXiv:2306.11565); each counts only after the one before. */
export const REARRANGEMENT_STAGES = ["find_object", "pick", "find_receptacle", "place"] as const;

export const rearranged: CriteriaPreset = {
  summary:
    "the robot found and picked the object, found the goal receptacle, and the object rests on it, released",
  stages: REARRANGEMENT_STAGES,
  settings: REARRANGING_SETTINGS,
  goals: REARRANGING_PARTS,
  criteria(goals) {
    const { target_object, target_location, success_criteria } = readGoals(goals, rearrangingGoals);
    const object = target_object.name;
    const base = target_location.receptacle;
    const limits = rearrangementLimits(success_criteria);
    const near = (target: string): Rule => ({
      robot_near: { target, within_m: limits.find_distance, to: "box" },
    });
    const inView = (target: string): Rule => ({
      in_view: { object: target, share: limits.view_share },
    });
    const found = (target: string): Rule => ({
      all: [
        near(target),
        inView(target),
        { fills_image: { object: target, share: limits.image_share } },
      ],
    });
    const carried: Rule = { all: [{ grasped: { object } }, { clear: { object } }] };
    const onGoal: Rule = { supported: { name: "on_goal", object, base } };
    const collided: Rule = {
      collided: limits.collision_force ? { force_n: limits.collision_force } : {},
    };
    const placed: Rule = {
      hold: {
        steps: limits.place_steps,
        rule: {
          all: [
            onGoal,
            { at_rest: { object, speed: limits.rest_speed } },
            { not_turning: { object, turn_radps: limits.rest_turn } },
            { released: { object } },
          ],
        },
      },
    };
    const unharmed: readonly Rule[] = limits.collision_force ? [{ not: { once: collided } }] : [];
    const before: readonly Rule[] = [
      found(object),
      { hold: { steps: limits.pick_steps, rule: carried } },
      found(base),
    ];
    return {
      success: { all: [{ sequence: before }, placed, ...unharmed] },
      stages: {
        find_object: { sequence: before.slice(0, 1) },
        pick: { sequence: before.slice(0, 2) },
        find_receptacle: { sequence: before },
        place: { sequence: [...before, { all: [placed, ...unharmed] }] },
      },
      target: object,
      measures: {
        object_distance_m: near(object),
        object_view: inView(object),
        receptacle_distance_m: near(base),
        receptacle_view: inView(base),
        goal_distance_m: { near: { object, target: base, axes: "xy", to: "box" } },
        carried,
        collision_n: collided,
      },
    };
  },
};

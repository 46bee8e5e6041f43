import type { CriteriaPreset } from "../../core/rules/criteria.js";
import type { Rule } from "../../core/rules/rule.js";
import { HOLD_STEPS, OPENING_PARTS, OPENING_SETTINGS, openingGoals, readGoals } from "./goals.js";

/** As in ManiSkill for cabinets. */
const FRACTION = 0.75;

/** The way of opening does not matter: the stage `grasped` is a grasp, or one finger that pulls. */
export const opened: CriteriaPreset = {
  summary: "the drawer or door is open far enough and at rest",
  stages: ["reached", "grasped", "moved", "opened"],
  settings: OPENING_SETTINGS,
  goals: OPENING_PARTS,
  criteria(goals) {
    const { target_fixture, success_criteria } = readGoals(goals, openingGoals);
    const fixture = target_fixture.name;
    const fraction = success_criteria.opened_fraction ?? FRACTION;
    const open: Rule = { open: { name: "opened", fixture, fraction } };
    return {
      success: { hold: { steps: HOLD_STEPS, rule: { all: [open, { at_rest: { fixture } }] } } },
      stages: {
        reached: { reached: { fixture } },
        grasped: { any: [{ grasped: { fixture } }, { pulled: { fixture } }] },
        moved: { moved: { fixture } },
        opened: open,
      },
      target: fixture,
      measures: { reach_m: { reached: { fixture } } },
    };
  },
};

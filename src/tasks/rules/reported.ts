import type { CriteriaPreset, SuccessCriteria } from "../../core/rules/criteria.js";
import { FLAGS } from "../../core/rules/facts.js";
import type { Rule } from "../../core/rules/rule.js";

const success: Rule = { reported_success: {} };

/** `object_grasped and object_lifted and object_placed`. */
const flags: Rule = { all: FLAGS.map((flag) => ({ flag: { flag } })) };

/** Success is the simulator's own check, which also decides how long a state must last. */
export const REPORTED: SuccessCriteria = { success };

/** The simulator's own check, or the three flags. */
export const REPORTED_OR_FLAGS: SuccessCriteria = { success: { any: [success, flags] } };

export const reported: CriteriaPreset = {
  summary: "the simulator's own success check holds",
  settings: {},
  criteria: () => REPORTED,
};

export const designFlags: CriteriaPreset = {
  summary: "the simulator reports object_grasped, object_lifted and object_placed",
  settings: {},
  criteria: () => ({ success: flags }),
};

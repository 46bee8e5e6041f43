import type { CriteriaPreset, CriteriaPresets } from "../../core/rules/criteria.js";
import { bddl } from "./bddl.js";
import { graspAndLift } from "./grasp-and-lift.js";
import { opened } from "./opened.js";
import { rearranged } from "./rearranged.js";
import { designFlags, reported } from "./reported.js";
import { stacked } from "./stacked.js";

/** Presets by their name in `success_criteria.type`. */
export const BUILT_IN_PRESETS: Readonly<Record<string, CriteriaPreset>> = {
  grasp_and_lift: graspAndLift,
  stacked,
  opened,
  rearranged,
  bddl,
  reported,
  design_flags: designFlags,
};

/** The built-in presets, for tasks outside of a registry. */
export const builtInPresets: CriteriaPresets = {
  find: (name) => (Object.hasOwn(BUILT_IN_PRESETS, name) ? BUILT_IN_PRESETS[name] : undefined),
  list: () => Object.keys(BUILT_IN_PRESETS),
};

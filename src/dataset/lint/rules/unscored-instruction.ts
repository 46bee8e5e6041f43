import { getProfile } from "../../../core/profiles.js";
import { instructionIndex, isScored } from "../../scored-instructions.js";
import type { LintRule } from "../types.js";

/** Finds instructions that the profile of the format does not score: the fourth of an R2R path. */
export const unscoredInstruction: LintRule = {
  code: "unscored_instruction",
  severity: "info",
  why: "the official R2R evaluator scores the first three instructions of a path, so published results do not include this episode; profile r2r leaves it out, other profiles score it",
  *check(episode, { format }) {
    const profile = getProfile(format.profile);
    if (isScored(episode, profile)) return;
    const number = (instructionIndex(episode) ?? 0) + 1;
    yield {
      field: "instruction",
      value: episode.instruction.text,
      message: `instruction ${number} of path ${episode.taskConfig.path_id}; profile ${profile.name} scores the first ${profile.instructionsPerPath}`,
    };
  },
};

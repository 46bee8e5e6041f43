import type { LintRule } from "../types.js";

/** A vision-language task without language. */
export const missingInstruction: LintRule = {
  code: "missing_instruction",
  severity: "error",
  why: "the instruction is the task: without it a policy can only guess",
  *check({ taskType, instruction: { text } }) {
    if (taskType !== "vln" || (text !== undefined && text.trim() !== "")) return;
    yield {
      field: "instruction.text",
      value: text,
      message: text === undefined ? "there is no instruction" : "the instruction is blank",
    };
  },
};

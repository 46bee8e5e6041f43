import type { LintRule } from "../types.js";

const INSTRUCTED: readonly string[] = ["vln", "rearrange"];

/** Finds episodes of vision-language tasks without an instruction. */
export const missingInstruction: LintRule = {
  code: "missing_instruction",
  severity: "error",
  why: "the instruction defines the task: without it a policy can only guess",
  *check({ taskType, instruction: { text } }) {
    if (!INSTRUCTED.includes(taskType) || (text !== undefined && text.trim() !== "")) return;
    yield {
      field: "instruction.text",
      value: text,
      message: text === undefined ? "the instruction is missing" : "the instruction is blank",
    };
  },
};

import { instructionAxis } from "./instruction-axis.js";

/** A policy that still succeeds does not read the instruction. */
export const instructionOther = instructionAxis({
  description: "the policy gets the instruction of another episode of the task",
  parameter: "instruction of another episode",
  levels: [1],
  change: ({ instruction }, { episodes }, random) => {
    const others = episodes.filter((other) => {
      const { text = "" } = other.instruction;
      return text !== "" && text !== instruction.text;
    });
    return others.length > 0 ? random.pick(others).instruction : undefined;
  },
});

import { instructionAxis } from "./instruction-axis.js";
import { tokensUsed, wordsIn } from "./words.js";

export const instructionEmpty = instructionAxis({
  description: "the instruction lacks its last words; at level 3 it is empty",
  parameter: "share of words removed",
  levels: [1 / 3, 2 / 3, 1],
  change: ({ instruction }, { value }) => {
    const words = wordsIn(instruction);
    const { tokens } = instruction;
    const kept = tokens ? Math.round((1 - value) * tokensUsed(tokens)) : 0;
    return {
      ...instruction,
      text: words.slice(0, Math.round((1 - value) * words.length)).join(" "),
      ...(tokens ? { tokens: tokens.map((token, i) => (i < kept ? token : 0)) } : {}),
    };
  },
});

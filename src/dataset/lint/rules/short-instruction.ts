import type { LintRule } from "../types.js";

/** What is said in fewer words than this leads nowhere. */
const FEWEST_WORDS = 3;
/** A text longer than this has that many words in any language. */
const LONG_ENOUGH = 60;

/** An instruction of a word or two. */
export const shortInstruction: LintRule = {
  code: "short_instruction",
  severity: "warning",
  why: "a word or two do not tell a way through a building; likely the text was cut off",
  *check({ taskType, instruction }) {
    const text = instruction.text?.trim() ?? "";
    if (taskType !== "vln" || text === "" || text.length > LONG_ENOUGH) return;
    // A dialogue begins with nothing but its target.
    if (Array.isArray(instruction.dialog_history)) return;
    const words = countWords(text);
    if (words >= FEWEST_WORDS) return;
    yield {
      field: "instruction.text",
      value: text,
      message: `the instruction has ${words} ${words === 1 ? "word" : "words"}`,
    };
  },
};

/** Words of any language: Chinese and Japanese put no spaces between them. */
function countWords(text: string): number {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(text))
    if (isWordLike) words++;
  return words;
}

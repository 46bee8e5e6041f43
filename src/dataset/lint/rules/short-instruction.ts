import type { LintRule } from "../types.js";

/** Minimum number of words in a useful instruction. */
const MIN_WORDS = 3;
/** Text of this many characters has enough words in any language. */
const LONG_ENOUGH = 60;

/** Finds instructions of one or two words. */
export const shortInstruction: LintRule = {
  code: "short_instruction",
  severity: "warning",
  why: "one or two words cannot describe a route through a building; the text was likely cut off",
  *check({ taskType, instruction }) {
    const text = instruction.text?.trim() ?? "";
    if (taskType !== "vln" || text === "" || text.length > LONG_ENOUGH) return;
    // A dialogue may begin with only its target.
    if (Array.isArray(instruction.dialog_history)) return;
    const words = countWords(text);
    if (words >= MIN_WORDS) return;
    yield {
      field: "instruction.text",
      value: text,
      message: `the instruction has ${words} ${words === 1 ? "word" : "words"}`,
    };
  },
};

/** Counts words in any language; Chinese and Japanese do not separate words by spaces. */
function countWords(text: string): number {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(text))
    if (isWordLike) words++;
  return words;
}

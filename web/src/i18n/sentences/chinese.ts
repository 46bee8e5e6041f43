import { retell, templatesOf } from "./template.js";
import { EPISODES_ZH } from "./zh-episodes.js";
import { PROBLEMS_ZH } from "./zh-problems.js";
import { SCORES_ZH } from "./zh-scores.js";

export const SENTENCES_ZH = { ...EPISODES_ZH, ...SCORES_ZH, ...PROBLEMS_ZH };

const templates = templatesOf(SENTENCES_ZH);
/** A table of ten thousand episodes shows a few dozen at a time, and scrolls back and forth. */
const MOST_KEPT = 2000;
const kept = new Map<string, string>();

/** A sentence of a document in Chinese; as it stands where nobody has told it yet. */
export function inChinese(text: string): string {
  const known = kept.get(text);
  if (known !== undefined) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const told = retell(text, templates) ?? text;
  kept.set(text, told);
  return told;
}

import { templatesOf, translate } from "./template.js";
import { EPISODES_ZH } from "./zh-episodes.js";
import { PROBLEMS_ZH } from "./zh-problems.js";
import { SCORES_ZH } from "./zh-scores.js";

export const SENTENCES_ZH = { ...EPISODES_ZH, ...SCORES_ZH, ...PROBLEMS_ZH };

const templates = templatesOf(SENTENCES_ZH);
/** Translations are cached, because scrolling a long table shows the same sentences again. */
const MAX_CACHED = 2000;
const cached = new Map<string, string>();

/** A sentence of a document in Chinese; unchanged if it has no translation. */
export function inChinese(text: string): string {
  const known = cached.get(text);
  if (known !== undefined) return known;
  if (cached.size >= MAX_CACHED) cached.clear();
  const translation = translate(text, templates) ?? text;
  cached.set(text, translation);
  return translation;
}

import type { Instruction } from "../../core/episode/schemas.js";

/** Words with the punctuation that follows them. */
export function wordsIn({ text = "" }: Instruction): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** The number of tokens before the padding, which is 0 in every dataset that has tokens. */
export function tokensUsed(tokens: readonly number[]): number {
  return tokens.findLastIndex((token) => token !== 0) + 1;
}

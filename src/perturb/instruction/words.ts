import type { Instruction } from "../../core/episode/schemas.js";
import type { Random } from "../../core/math/random.js";
import { instructionAxis } from "./instruction-axis.js";

/** Words with the punctuation that follows them. */
function wordsIn({ text = "" }: Instruction): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** The number of tokens before the padding, which is 0 in every dataset that has tokens. */
function tokensUsed(tokens: readonly number[]): number {
  return tokens.findLastIndex((token) => token !== 0) + 1;
}

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

/** A policy that only spots keywords does not notice it. */
export const instructionShuffle = instructionAxis({
  description: "words of the instruction change places",
  parameter: "share of words that change places",
  levels: [1 / 3, 2 / 3, 1],
  change: ({ instruction }, { value }, random) => {
    const { tokens } = instruction;
    const used = tokens ? tokensUsed(tokens) : 0;
    return {
      ...instruction,
      text: shuffled(wordsIn(instruction), value, random).join(" "),
      ...(tokens
        ? { tokens: [...shuffled(tokens.slice(0, used), value, random), ...tokens.slice(used)] }
        : {}),
    };
  },
});

/** Rotates a random part of the items among their places, so that each of them moves. */
function shuffled<T>(items: readonly T[], share: number, random: Random): T[] {
  const places = random.shuffle(items.map((_, i) => i));
  const moved = places.slice(0, Math.round(share * items.length));
  const out = items.slice();
  for (const [i, place] of moved.entries()) {
    const from = moved[(i + 1) % moved.length] ?? place;
    out[place] = items[from] as T;
  }
  return out;
}

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

import type { Random } from "../../core/math/random.js";
import { instructionAxis } from "./instruction-axis.js";
import { tokensUsed, wordsIn } from "./words.js";

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

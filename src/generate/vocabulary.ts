import { DataError } from "../core/errors.js";

/** Length of R2R-CE's token lists, filled with `<pad>`, which is word 0. */
const TOKENS = 200;
const PAD = "<pad>";
const UNKNOWN = "<unk>";

/** Words and full stops in lower case; commas are dropped, as in R2R-CE. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+(?:\.[0-9]+)?|\./g) ?? [];
}

/** All words of the texts, sorted, after the two that every vocabulary has. */
export function vocabularyOf(texts: readonly string[]): string[] {
  return [PAD, UNKNOWN, ...[...new Set(texts.flatMap(wordsOf))].sort()];
}

export class Tokenizer {
  readonly #numbers: ReadonlyMap<string, number>;

  constructor(vocabulary: readonly string[]) {
    this.#numbers = new Map(vocabulary.map((word, i) => [word, i]));
  }

  tokens(text: string): number[] {
    const unknown = this.#numbers.get(UNKNOWN) ?? 1;
    const numbers = wordsOf(text).map((word) => this.#numbers.get(word) ?? unknown);
    if (numbers.length > TOKENS) {
      throw new DataError("long_instruction", `an instruction has more than ${TOKENS} words`, {
        hint: "lower --max-distance to get shorter paths",
      });
    }
    const fill = this.#numbers.get(PAD) ?? 0;
    return [...numbers, ...new Array<number>(TOKENS - numbers.length).fill(fill)];
  }
}

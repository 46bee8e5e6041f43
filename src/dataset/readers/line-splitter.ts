import { entryTooLarge, MAX_JSON_TEXT } from "./json-limits.js";

/** Splits text that arrives in chunks into lines. A long line is joined once, not again for each chunk. */
export class LineSplitter {
  #pieces: string[] = [];
  #length = 0;
  #lines = 0;

  constructor(private readonly path: string) {}

  /**
   * Returns the lines that end in this chunk, without line feeds.
   *
   * @throws if a line exceeds the length that can be parsed at once
   */
  push(text: string): string[] {
    const [first = "", ...others] = text.split("\n");
    this.#add(first);
    const last = others.pop();
    if (last === undefined) return [];
    const lines = [this.rest(), ...others];
    this.#lines += lines.length;
    this.#add(last);
    return lines;
  }

  /** Returns and clears the text after the last line feed. */
  rest(): string {
    const text = this.#pieces.join("");
    this.#pieces = [];
    this.#length = 0;
    return text;
  }

  #add(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length <= MAX_JSON_TEXT) return;
    throw entryTooLarge(`${this.path}:${this.#lines + 1}`, this.#length, MAX_JSON_TEXT);
  }
}

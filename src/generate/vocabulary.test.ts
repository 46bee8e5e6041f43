import { describe, expect, it } from "vitest";
import { Tokenizer, vocabularyOf, wordsOf } from "./vocabulary.js";

const TEXTS = ["Turn left, walk 1.5 meters and stop.", "Walk past the TV."];

describe("vocabulary", () => {
  it("a vocabulary starts with the padding and the unknown word, then has each word once, sorted", () => {
    const words = vocabularyOf(TEXTS);
    expect(words.slice(0, 4)).toEqual(["<pad>", "<unk>", ".", "1.5"]);
    expect(words.slice(2)).toEqual([...new Set(words.slice(2))].sort());
    expect(words).toContain("tv");
  });

  it("200 tokens, as in R2R-CE, convert back to the words", () => {
    const words = vocabularyOf(TEXTS);
    const tokens = new Tokenizer(words).tokens(TEXTS[0] ?? "");
    expect(tokens).toHaveLength(200);
    const read = tokens.map((token) => words[token]).filter((word) => word !== "<pad>");
    expect(read).toEqual(["turn", "left", "walk", "1.5", "meters", "and", "stop", "."]);
    expect(read).toEqual(wordsOf(TEXTS[0] ?? ""));
  });

  it("words of other texts become the unknown word", () => {
    const [first] = new Tokenizer(vocabularyOf(TEXTS)).tokens("Jump.");
    expect(first).toBe(1);
  });

  it("a vocabulary rejects a text that is longer than R2R-CE token lists", () => {
    const tokenizer = new Tokenizer(vocabularyOf(TEXTS));
    expect(() => tokenizer.tokens("walk ".repeat(201))).toThrow(
      expect.objectContaining({ code: "long_instruction" }),
    );
  });
});

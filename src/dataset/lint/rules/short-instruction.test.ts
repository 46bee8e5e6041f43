import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { shortInstruction } from "./short-instruction.js";

const saying = (text: string, more = {}) => soundEpisode({ instruction: { text, ...more } });

describe("short_instruction", () => {
  it.each(["Go.", "go straight.", "向前"])(
    "short_instruction finds the short instruction %j",
    (text) => {
      expect(problemsOf(shortInstruction, saying(text))).toMatchObject([
        { field: "instruction.text", value: text },
      ]);
    },
  );

  it("short_instruction counts words in any script", () => {
    const texts = ["Walk up the stairs.", "穿过走廊，然后在门口停下来", "दरवाज़े से बाहर निकलें"];
    expect(
      problemsOf(
        shortInstruction,
        texts.map((text) => saying(text)),
      ),
    ).toEqual([]);
  });

  it("short_instruction accepts a dialogue that begins with its target, and leaves blank text to missing_instruction", () => {
    const dialogue = saying("Target: plant", { dialog_history: [] });
    expect(problemsOf(shortInstruction, [dialogue, saying(" ")])).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { acceptedLanguage, translator } from "./index.js";
import { MESSAGES } from "./table.js";

describe("the pages' messages", () => {
  it.each(Object.entries(MESSAGES))(
    "%s has the same placeholders in both languages",
    (_, [en, zh]) => {
      const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
      expect(places(zh)).toEqual(places(en));
    },
  );

  it("the messages of the pages get their placeholders filled in", () => {
    expect(translator("en")("progress", { done: 3, total: 8 })).toBe("3 of 8 episodes");
    expect(translator("zh")("many_teams", { n: 3 })).toBe("3 支队伍");
  });
});

describe("the language", () => {
  it.each([
    [undefined, "en"],
    ["de-DE,de;q=0.9", "en"],
    ["zh-CN,zh;q=0.9,en;q=0.8", "zh"],
    ["en-GB,en;q=0.9,zh;q=0.8", "en"],
    ["en;q=0.2, zh-TW;q=0.7", "zh"],
    ["de, zh;q=0", "en"],
    ["*;q=0.1, zh;q=junk", "en"],
  ])("the header %j selects %s", (header, language) => {
    expect(acceptedLanguage(header)).toBe(language);
  });
});

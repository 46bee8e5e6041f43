import { describe, expect, it } from "vitest";
import { en } from "./en.js";
import { acceptedLanguage, translator } from "./index.js";
import { zh } from "./zh.js";

describe("the pages' messages", () => {
  it.each(Object.keys(en) as (keyof typeof en)[])(
    "%s has the same placeholders in both languages",
    (key) => {
      const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
      expect(places(zh[key])).toEqual(places(en[key]));
    },
  );

  it("get their placeholders filled in", () => {
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
  ])("of %j is %s", (header, language) => {
    expect(acceptedLanguage(header)).toBe(language);
  });
});

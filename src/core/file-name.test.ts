import { describe, expect, it } from "vitest";
import { isPortableName, readablePart } from "./file-name.js";

describe("isPortableName", () => {
  it.each(["vln_apartment-101_6.webp", "评测_1", "console", "com10", "a.con", ".hidden", "a+b"])(
    "isPortableName accepts %j",
    (name) => {
      expect(isPortableName(name)).toBe(true);
    },
  );

  it.each([
    "",
    ".",
    "..",
    "a/b",
    "a\\b",
    "12:00",
    "what?",
    "a*",
    'a"b',
    "a<b",
    "a|b",
    "line\nbreak",
    "ends.",
    "ends ",
    "CON",
    "nul.txt",
    "Com1",
    "lpt9.log",
    "COM².a",
    "conin$",
    "e\u0301",
    "half \ud83d",
  ])("isPortableName rejects %j", (name) => {
    expect(isPortableName(name)).toBe(false);
  });
});

describe("readablePart", () => {
  it.each([
    ["lift/a b", "lift-a-b"],
    ["12:00?", "12-00"],
    ["..", ""],
    ["nul.txt", "_nul.txt"],
    ["e\u0301té 走廊", "été-走廊"],
  ])("readablePart turns %j into %j", (text, part) => {
    expect(readablePart(text)).toBe(part);
  });
});

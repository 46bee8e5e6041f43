import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cleanLines,
  cleanStrings,
  cleanText,
  hasControl,
  oneLine,
  visible,
  visibleJson,
} from "./text.js";

const HOSTILE = [
  ["NUL", "\u0000", "\\x00"],
  ["escape", "\u001b", "\\x1b"],
  ["carriage return", "\r", "\\x0d"],
  ["delete", "\u007f", "\\x7f"],
  ["C1 CSI", "\u009b", "\\x9b"],
  ["line separator", "\u2028", "\\u2028"],
  ["right-to-left override", "\u202e", "\\u202e"],
  ["isolate", "\u2066", "\\u2066"],
  ["lone surrogate", "\ud83d", "\\ud83d"],
] as const;

describe.each(HOSTILE)("%s", (_, char, shown) => {
  it("an invisible character is replaced in stored text, written out on terminals, and escaped in JSON", () => {
    const text = `a${char}b`;
    expect(hasControl(text)).toBe(true);
    expect(cleanText(text, 10)).toBe("a\ufffdb");
    expect(visible(text)).toBe(`a${shown}b`);
    expect(oneLine(text)).toBe(`a${shown}b`);
    const json = visibleJson(JSON.stringify({ text }, null, 2));
    expect(JSON.parse(json)).toEqual({ text });
    expect(hasControl(json.replaceAll("\n", ""))).toBe(false);
  });
});

describe("ordinary text", () => {
  it("ordinary text is unchanged in any script", () => {
    for (const text of ["Grüße, 机器人 🤖", "goto:3f2a", ""]) {
      expect([cleanText(text, 100), visible(text), oneLine(text)]).toEqual([text, text, text]);
      expect(hasControl(text)).toBe(false);
    }
  });

  it("ordinary text keeps its line feeds in visible and has them escaped in oneLine", () => {
    expect(visible("a\n\tb")).toBe("a\n\tb");
    expect(oneLine("a\n\tb")).toBe("a\\n\\tb");
  });

  it("ordinary text is truncated to the maximum length, even within a surrogate pair", () => {
    expect(cleanText("x".repeat(50), 5)).toBe("xxxx…");
    expect(cleanText("xyz🤖more", 5)).toBe("xyz\ufffd…");
    expect([cleanText("xyz", 0), cleanLines("xyz", 0)]).toEqual(["…", "…"]);
  });
});

it("cleanText gives a text without control characters, within the length, and is idempotent", () => {
  const any = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(any, fc.integer({ min: 1, max: 20 }), (text, most) => {
      const clean = cleanText(text, most);
      expect(hasControl(clean)).toBe(false);
      expect(clean.length).toBeLessThanOrEqual(most);
      expect(cleanText(clean, most)).toBe(clean);
      expect(hasControl(oneLine(text))).toBe(false);
    }),
  );
});

it.each([
  ...[0x00, 0x07, 0x1b, 0x1f, 0x7f, 0x80, 0x9b, 0x9f, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0xd800, 0xdfff],
])("U+%s counts as a control character, wherever it stands", (code) => {
  const char = String.fromCharCode(code);
  for (const text of [char, `a${char}b`, `ab${char}`]) {
    expect(hasControl(text)).toBe(true);
    expect(cleanText(text, 10)).toBe(text.replace(char, "\ufffd"));
    expect(hasControl(oneLine(text))).toBe(false);
  }
});

it("cleanLines keeps line feeds and tabs, replaces all other control characters, and cuts", () => {
  expect(cleanLines("a\n\tb\r\u0000c", 20)).toBe("a\n\tb\ufffd\ufffdc");
  expect(cleanLines("abcdef", 4)).toBe("abc…");
});

it("cleanStrings cleans values and names of fields at every depth, and leaves other objects alone", () => {
  const bytes = Uint8Array.of(1);
  const hostile = { "a\u0000": ["\u001b", { deep: "b\nc" }, 1, null], bytes };
  expect(cleanStrings(hostile, 10)).toEqual({
    "a\ufffd": ["\ufffd", { deep: "b\ufffdc" }, 1, null],
    bytes,
  });
});

import { describe, expect, it } from "vitest";
import { duration, number, shellWord, utc } from "./format.js";

describe("report formatting", () => {
  it.each([
    [0.25, "0.250"],
    [12, "12"],
    [1234.5, "1235"],
    [null, "–"],
    [Number.NaN, "–"],
    ["7", "–"],
  ])("number(%j) returns %s", (value, text) => {
    expect(number(value)).toBe(text);
  });

  it.each([
    [0.0234, "0.023 ms"],
    [181.3, "181 ms"],
    [2620, "2.62 s"],
    [600_000, "10 min"],
    [3 * 3600_000 + 60_000, "3 h 1 min"],
    [undefined, "–"],
  ])("duration(%j) returns %s", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it("utc() prints a time in UTC to the minute and returns other text unchanged", () => {
    expect(utc("2026-01-01T12:00:59.123Z")).toBe("2026-01-01 12:00 UTC");
    expect(utc("yesterday")).toBe("yesterday");
  });

  it("shellWord() quotes arguments with characters special to a shell", () => {
    expect(shellWord("vln=noisy:0.3,objectnav=random")).toBe("vln=noisy:0.3,objectnav=random");
    expect(shellWord("a b; $(rm) 'x'")).toBe(`'a b; $(rm) '\\''x'\\'''`);
    expect(shellWord("")).toBe("''");
  });
});

import { describe, expect, it } from "vitest";
import { number } from "../../src/runs/report/format.js";
import { formatMs, formatNumber, formatP, formatSigned } from "./format.js";

describe("numbers on the page", () => {
  it("numbers on the page have the same format as on the command line", () => {
    for (const value of [null, 0, 1, -1, 9, 10, 123, 0.1234567, -0.5, 12.3456, 1234.5, -98765.4])
      expect(formatNumber(value)).toBe(number(value));
  });

  it("numbers on the page have a sign if they are differences", () => {
    expect(formatSigned(0.25)).toBe("+0.250");
    expect(formatSigned(-0.25)).toBe("-0.250");
  });

  it("numbers on the page show a p-value of 0 as a bound", () => {
    expect(formatP(0)).toBe("<1e-300");
    expect(formatP(0.00012)).toBe("1.2e-4");
    expect(formatP(null)).toBe("–");
  });

  it("numbers on the page show durations in suitable units", () => {
    expect(formatMs(0.0794)).toBe("0.08 ms");
    expect(formatMs(59_960)).toBe("60.0 s");
    expect(formatMs(119_900)).toBe("2 min 0 s");
    expect(formatMs(7_380_000)).toBe("2 h 3 min");
  });
});

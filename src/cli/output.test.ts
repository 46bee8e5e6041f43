import { afterEach, describe, expect, it, vi } from "vitest";
import { number, paint, table } from "./output.js";

const terminal = { isTTY: true } as NodeJS.WriteStream;
const file = { isTTY: false } as NodeJS.WriteStream;

describe("colour", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("is for terminals, whichever stream is one", () => {
    vi.stubEnv("NO_COLOR", "");
    expect(paint("red", "text", terminal)).toBe("\u001b[31mtext\u001b[39m");
    expect(paint("red", "text", file)).toBe("text");
  });

  it("is for nobody who set NO_COLOR", () => {
    vi.stubEnv("NO_COLOR", "1");
    expect(paint("red", "text", terminal)).toBe("text");
  });
});

describe("a table", () => {
  it("has names to the left and numbers to the right", () => {
    const rows = [
      ["success", "0.250", "4"],
      ["spl", "–", "12"],
    ];
    expect(table(["metric", "mean", "n"], rows).split("\n")).toEqual([
      "metric    mean   n",
      "success  0.250   4",
      "spl          –  12",
    ]);
  });

  it("is aligned where characters are two columns wide", () => {
    const [header, wide, narrow] = table(
      ["name", "n"],
      [
        ["走廊", "1"],
        ["hall", "2"],
      ],
    ).split("\n");
    expect([header, wide, narrow]).toEqual(["name  n", "走廊  1", "hall  2"]);
  });

  it("without rows is its header", () => {
    expect(table(["a", "b"], [])).toBe("a  b");
  });
});

it.each([
  [null, "–"],
  [undefined, "–"],
  [0, "0.000"],
  [1, "1.000"],
  [0.14222712, "0.142"],
  [-2.5, "-2.500"],
  [907, "907"],
  [12345.678, "12346"],
])("the number %s reads %s", (value, text) => {
  expect(number(value)).toBe(text);
});

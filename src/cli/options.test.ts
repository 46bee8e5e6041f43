import { InvalidArgumentError } from "commander";
import { describe, expect, it } from "vitest";
import { collect, list, share, wholeNumber } from "./options.js";

describe("a whole number", () => {
  it("is read", () => {
    expect(wholeNumber(1)("12")).toBe(12);
    expect(wholeNumber(0)("0")).toBe(0);
  });

  it.each(["0", "-1", "1.5", "abc", "", " ", "NaN", "Infinity", "1e400", "9007199254740992"])(
    "of at least 1 is not %j",
    (text) => {
      expect(() => wholeNumber(1)(text)).toThrow(InvalidArgumentError);
    },
  );

  it("that is empty is not 0", () => {
    expect(() => wholeNumber(0)("")).toThrow("at least 0");
  });
});

describe("a share", () => {
  it.each([
    ["0", 0],
    ["0.25", 0.25],
    ["1", 1],
  ])("is read: %s", (text, value) => {
    expect(share(text)).toBe(value);
  });

  it.each(["-0.1", "1.1", "10%", "", "  ", "NaN"])("is not %j", (text) => {
    expect(() => share(text)).toThrow("between 0 and 1");
  });
});

it("a flag that is given several times keeps them in order", () => {
  expect(collect("b", collect("a"))).toEqual(["a", "b"]);
});

describe("a list", () => {
  it("is names with commas between them", () => {
    expect(list("success, spl")).toEqual(["success", "spl"]);
  });

  it.each(["", "a,,b", "a,"])("has no empty names: %j", (text) => {
    expect(() => list(text)).toThrow(InvalidArgumentError);
  });
});

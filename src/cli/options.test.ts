import { InvalidArgumentError } from "commander";
import { describe, expect, it } from "vitest";
import { collect, list, runName, share, tags, wholeNumber } from "./options.js";

describe("wholeNumber", () => {
  it("wholeNumber parses a whole number", () => {
    expect(wholeNumber(1)("12")).toBe(12);
    expect(wholeNumber(0)("0")).toBe(0);
  });

  it.each(["0", "-1", "1.5", "abc", "", " ", "NaN", "Infinity", "1e400", "9007199254740992"])(
    "wholeNumber rejects %j as a whole number of at least 1",
    (text) => {
      expect(() => wholeNumber(1)(text)).toThrow(InvalidArgumentError);
    },
  );

  it("wholeNumber rejects an empty text", () => {
    expect(() => wholeNumber(0)("")).toThrow("at least 0");
  });
});

describe("share", () => {
  it.each([
    ["0", 0],
    ["0.25", 0.25],
    ["1", 1],
  ])("the share option parses %s", (text, value) => {
    expect(share(text)).toBe(value);
  });

  it.each(["-0.1", "1.1", "10%", "", "  ", "NaN"])("the share option rejects %j", (text) => {
    expect(() => share(text)).toThrow("between 0 and 1");
  });
});

it("collect keeps repeated flags in order", () => {
  expect(collect("b", collect("a"))).toEqual(["a", "b"]);
});

describe("list", () => {
  it("the list option splits names at commas", () => {
    expect(list("success, spl")).toEqual(["success", "spl"]);
  });

  it.each(["", "a,,b", "a,"])("the list option rejects empty names: %j", (text) => {
    expect(() => list(text)).toThrow(InvalidArgumentError);
  });
});

describe("tags", () => {
  it("the tags option collects tags, whose values may contain an equals sign", () => {
    expect(tags("b=x=y", tags("a=1"))).toEqual({ a: "1", b: "x=y" });
  });

  it.each(["a", "=1", "a=", "a b=1", "a=1\n2", `a=${"x".repeat(201)}`])(
    "tags rejects %j",
    (text) => {
      expect(() => tags(text)).toThrow("expected key=value");
    },
  );

  it("the tags option rejects a key that is given twice", () => {
    expect(() => tags("a=2", tags("a=1"))).toThrow("the tag a is given twice");
  });
});

describe("runName", () => {
  it("runName accepts a short line", () => {
    expect(runName("before the fix")).toBe("before the fix");
  });

  it.each(["", "  ", "a\nb", "x".repeat(101)])("runName rejects %j", (text) => {
    expect(() => runName(text)).toThrow("at most 100 characters");
  });
});

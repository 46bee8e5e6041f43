import { describe, expect, it } from "vitest";
import { ConfigError } from "../core/errors.js";
import { BadConfigError } from "./issues.js";
import { ConfigProblems } from "./problems.js";

const fail = (where: string, code = "bad") => {
  throw new ConfigError(code, `wrong at ${where}`, { where });
};

describe("ConfigProblems", () => {
  it("ConfigProblems returns the results of checks and throws nothing if all pass", () => {
    const problems = new ConfigProblems();
    expect(problems.attempt(() => 7)).toBe(7);
    expect(() => problems.throwAll()).not.toThrow();
  });

  it("ConfigProblems throws a single error unchanged", () => {
    const problems = new ConfigProblems();
    expect(problems.attempt(() => fail("b.yaml:3:1", "unknown_metric"))).toBeUndefined();
    expect(() => problems.throwAll()).toThrow(expect.objectContaining({ code: "unknown_metric" }));
  });

  it("ConfigProblems lists several errors by line and column, and other places last", () => {
    const problems = new ConfigProblems();
    problems.attempt(() => fail("--set a.b"));
    problems.attempt(() => fail("b.yaml:12:3"));
    problems.attempt(() => {
      const issue = { path: [], where: "b.yaml:9:40", message: "wrong", hint: undefined };
      throw new BadConfigError([{ ...issue, where: "b.yaml:12:1" }, issue]);
    });
    const places = ["b.yaml:9:40", "b.yaml:12:1", "b.yaml:12:3", "--set a.b"];
    expect(() => problems.throwAll()).toThrow(
      expect.objectContaining({
        code: "bad_config",
        issues: places.map((where) => expect.objectContaining({ where })),
      }),
    );
  });

  it("ConfigProblems ignores an unexpected error after a failed check, and throws one before", () => {
    const problems = new ConfigProblems();
    const crash = () => {
      throw new TypeError("undefined is not a function");
    };
    expect(() => problems.attempt(crash)).toThrow(TypeError);
    problems.attempt(() => fail("b.yaml:1:1"));
    expect(problems.attempt(crash)).toBeUndefined();
  });
});

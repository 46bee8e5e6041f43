import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ConfigError,
  DataError,
  errorMessage,
  ProtocolError,
  RegistryError,
  RobotEvalError,
  show,
} from "./errors.js";

describe("an error of the platform", () => {
  it("describes itself with place, message and hint", () => {
    const error = new DataError("bad_episode", "goals.position: expected 3 numbers", {
      where: "data.json:7",
      hint: "add the third",
    });
    expect(error.describe()).toBe(
      "data.json:7: goals.position: expected 3 numbers\n  hint: add the third",
    );
  });

  it("leaves out what it does not know", () => {
    expect(new ConfigError("no_agent", "no agent is named").describe()).toBe("no agent is named");
  });

  it("is a mistake of the user's (exit code 2) unless it says otherwise", () => {
    expect(new ConfigError("a", "b").exitCode).toBe(2);
    expect(new RobotEvalError("a", "b", { exitCode: 1 }).exitCode).toBe(1);
  });

  it("keeps its cause", () => {
    const cause = new Error("disk");
    expect(new DataError("a", "b", { cause }).cause).toBe(cause);
    expect("cause" in new DataError("a", "b")).toBe(false);
  });

  it.each([
    [new ConfigError("a", "b"), "ConfigError"],
    [new DataError("a", "b"), "DataError"],
    [new RegistryError("a", "b"), "RegistryError"],
    [new ProtocolError("a", "b"), "ProtocolError"],
  ])("is one family, told apart by name: %s", (error, name) => {
    expect(error).toBeInstanceOf(RobotEvalError);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe(name);
  });
});

describe("errorMessage", () => {
  it("makes a sentence of anything thrown", () => {
    expect(errorMessage(new DataError("a", "b", { where: "f" }))).toBe("f: b");
    expect(errorMessage(new TypeError("no"))).toBe("no");
    expect(errorMessage("just words")).toBe("just words");
    expect(errorMessage(undefined)).toBe("undefined");
  });
});

describe("show", () => {
  it("lets the type be seen", () => {
    expect(show("7")).toBe('"7"');
    expect(show(7)).toBe("7");
    expect(show([1, "a"])).toBe('[1,"a"]');
    expect(show(null)).toBe("null");
    expect(show(undefined)).toBe("nothing");
  });

  it("names the numbers that JSON does not have", () => {
    expect(show(Number.NaN)).toBe("NaN");
    expect(show(Number.NEGATIVE_INFINITY)).toBe("-Infinity");
  });

  it("cuts what is long", () => {
    expect(show("x".repeat(500))).toHaveLength(80);
    expect(show("x".repeat(500)).endsWith("…")).toBe(true);
    expect(show("abcdefgh", 5)).toHaveLength(5);
  });

  it("never fails itself: what a policy sends may be anything", () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(() => show(circular)).not.toThrow();
    expect(() => show(10n)).not.toThrow();
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (value) => {
        expect(typeof show(value)).toBe("string");
      }),
    );
  });
});

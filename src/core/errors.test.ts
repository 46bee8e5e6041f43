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
  it("an error of the platform describes itself with location, message and hint", () => {
    const error = new DataError("bad_episode", "goals.position: expected 3 numbers", {
      where: "data.json:7",
      hint: "add the third",
    });
    expect(error.describe()).toBe(
      "data.json:7: goals.position: expected 3 numbers\n  hint: add the third",
    );
  });

  it("an error of the platform describes itself without a location or hint if it has none", () => {
    expect(new ConfigError("no_agent", "no agent is named").describe()).toBe("no agent is named");
  });

  it("an error of the platform has exit code 2 (usage, configuration or data) unless another is given", () => {
    expect(new ConfigError("a", "b").exitCode).toBe(2);
    expect(new RobotEvalError("a", "b", { exitCode: 1 }).exitCode).toBe(1);
  });

  it("an error of the platform cuts an id of a million characters and keeps the words around it", () => {
    const id = "x".repeat(1_000_000);
    const error = new DataError("bad_episode", `episode ${id}, goals: expected a list`, {
      where: `data.json, ${id}`,
      hint: `the ids are like ${id}`,
    });
    expect(error.message).toBe(`episode ${"x".repeat(80)}…, goals: expected a list`);
    expect(error.describe().length).toBeLessThan(500);
    const spaced = new DataError("bad_episode", `episode ${"a b ".repeat(250_000)}: no goals`);
    expect(spaced.message.length).toBeLessThan(25_000);
    expect(spaced.message.endsWith(": no goals")).toBe(true);
  });

  it("an error of the platform keeps its cause", () => {
    const cause = new Error("disk");
    expect(new DataError("a", "b", { cause }).cause).toBe(cause);
    expect("cause" in new DataError("a", "b")).toBe(false);
  });

  it.each([
    [new ConfigError("a", "b"), "ConfigError"],
    [new DataError("a", "b"), "DataError"],
    [new RegistryError("a", "b"), "RegistryError"],
    [new ProtocolError("a", "b"), "ProtocolError"],
  ])(
    "an error of the platform is a RobotEvalError with the name of its class: %s",
    (error, name) => {
      expect(error).toBeInstanceOf(RobotEvalError);
      expect(error).toBeInstanceOf(Error);
      expect(error.name).toBe(name);
    },
  );
});

describe("errorMessage", () => {
  it("errorMessage gives a message for any thrown value", () => {
    expect(errorMessage(new DataError("a", "b", { where: "f" }))).toBe("f: b");
    expect(errorMessage(new TypeError("no"))).toBe("no");
    expect(errorMessage("just words")).toBe("just words");
    expect(errorMessage(undefined)).toBe("undefined");
  });
});

describe("show", () => {
  it("show gives the type of a value", () => {
    expect(show("7")).toBe('"7"');
    expect(show(7)).toBe("7");
    expect(show([1, "a"])).toBe('[1,"a"]');
    expect(show(null)).toBe("null");
    expect(show(undefined)).toBe("nothing");
  });

  it("show gives NaN and infinities, which JSON does not have", () => {
    expect(show(Number.NaN)).toBe("NaN");
    expect(show(Number.NEGATIVE_INFINITY)).toBe("-Infinity");
  });

  it("show truncates long values", () => {
    expect(show("x".repeat(500))).toHaveLength(80);
    expect(show("x".repeat(500)).endsWith("…")).toBe(true);
    expect(show("abcdefgh", 5)).toHaveLength(5);
  });

  it("show never throws, whatever the value is", () => {
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

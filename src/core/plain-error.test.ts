import { describe, expect, it } from "vitest";
import { ConfigError, DataError, ProtocolError, RegistryError, RobotEvalError } from "./errors.js";
import { fromPlainError, toPlainError } from "./plain-error.js";

const across = (error: unknown) => fromPlainError(structuredClone(toPlainError(error)));

describe("an error that crosses threads", () => {
  it.each([ConfigError, DataError, ProtocolError, RegistryError, RobotEvalError])(
    "an error that crosses threads is still a %o with the same fields",
    (Class) => {
      const details = { where: "b.yaml:3:1", hint: "mend it", exitCode: 3 };
      const error = across(new Class("a_code", "it is wrong", details));
      expect(error).toBeInstanceOf(Class);
      expect(error).toMatchObject({ code: "a_code", message: "it is wrong", ...details });
    },
  );

  it("an error that crosses threads keeps its stack if it is not a RobotEvalError", () => {
    const original = new TypeError("x is not a function");
    const error = across(original);
    expect(error).toMatchObject({ name: "TypeError", message: original.message });
    expect(error.stack).toBe(original.stack);
  });

  it("an error that crosses threads may be any thrown value", () => {
    expect(across("just words").message).toBe("just words");
    expect(across(undefined).message).toBe("undefined");
  });
});

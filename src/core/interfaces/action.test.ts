import { describe, expect, it } from "vitest";
import { actionArgument, actionName } from "./action.js";

describe("an action with an argument", () => {
  it("an action with an argument is split at the first colon, because node names may contain colons", () => {
    expect(actionName("goto:a:b")).toBe("goto");
    expect(actionArgument("goto:a:b")).toBe("a:b");
  });

  it("an action with an empty argument differs from one without an argument", () => {
    expect(actionArgument("goto:")).toBe("");
    expect(actionArgument("goto")).toBeUndefined();
    expect(actionName("goto")).toBe("goto");
  });
});

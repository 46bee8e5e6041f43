import { describe, expect, it } from "vitest";
import { actionArgument, actionName } from "./action.js";

describe("an action with an argument", () => {
  it("is split at the first colon: node names may hold more of them", () => {
    expect(actionName("goto:a:b")).toBe("goto");
    expect(actionArgument("goto:a:b")).toBe("a:b");
  });

  it("may have an empty argument, which is not the same as none", () => {
    expect(actionArgument("goto:")).toBe("");
    expect(actionArgument("goto")).toBeUndefined();
    expect(actionName("goto")).toBe("goto");
  });
});

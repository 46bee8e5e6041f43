import { describe, expect, it } from "vitest";
import { ActionSpace } from "../../core/task/types.js";
import { actionCode } from "./actions.js";

describe("actionCode", () => {
  it("actionCode encodes a named action as a one-hot vector and an index", () => {
    const space = new ActionSpace({ name: "discrete", actions: ["stop", "move_forward", "goto"] });
    const { features, encode } = actionCode(space);
    expect(Object.keys(features)).toEqual(["action", "discrete_action"]);
    expect(features.action).toEqual({
      dtype: "float32",
      shape: [3],
      names: ["stop", "move_forward", "goto"],
    });
    expect(encode("move_forward")).toEqual({ action: [0, 1, 0], discrete_action: [1] });
    expect(encode("goto:hall")).toEqual({ action: [0, 0, 1], discrete_action: [2] });
  });

  it("actionCode keeps vectors, in single precision", () => {
    const { features, encode } = actionCode(new ActionSpace({ name: "continuous", shape: [2] }));
    expect(features).toEqual({
      action: { dtype: "float32", shape: [2], names: ["action_0", "action_1"] },
    });
    expect(encode([0.1, -1])).toEqual({ action: [Math.fround(0.1), -1] });
  });

  it("actionCode concatenates both for hybrid action spaces", () => {
    const space = new ActionSpace({ name: "hybrid", actions: ["stop"], shape: [2] });
    const { features, encode } = actionCode(space);
    expect(features.action?.names).toEqual(["action_0", "action_1", "stop"]);
    expect(encode([0.5, 0.25])).toEqual({ action: [0.5, 0.25, 0] });
    expect(encode("stop")).toEqual({ action: [0, 0, 1] });
  });
});

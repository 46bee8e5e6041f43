import { describe, expect, it } from "vitest";
import { ActionSpace } from "../../core/task/types.js";
import { NdArray } from "../codec/ndarray.js";
import { mapActions } from "./action.js";

const vector = new ActionSpace({ name: "continuous", shape: [3] });
const named = new ActionSpace({ name: "discrete", actions: ["stop", "move_forward", "turn_left"] });

function chunk(shape: readonly number[], ...values: number[]): NdArray {
  return new NdArray("<f4", shape, Float32Array.from(values));
}

describe("mapActions", () => {
  it("mapActions reads a vector as one action and a matrix as one action per row", () => {
    expect(mapActions(chunk([3], 1, 2, 3), undefined, vector)).toEqual([[1, 2, 3]]);
    expect(mapActions(chunk([2, 3], 1, 2, 3, 4, 5, 6), undefined, vector)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(mapActions([[1, 2, 3]], undefined, vector)).toEqual([[1, 2, 3]]);
  });

  it("mapActions accepts a leading batch dimension of one, but no larger one", () => {
    expect(mapActions(chunk([1, 1, 3], 1, 2, 3), undefined, vector)).toEqual([[1, 2, 3]]);
    expect(() => mapActions(chunk([2, 1, 3], 1, 2, 3, 4, 5, 6), undefined, vector)).toThrow(
      "an array of shape [2,1,3]",
    );
  });

  it("mapActions builds the task action part by part", () => {
    const parts = [
      { take: [0, 1] as [number, number], scale: 0.05 },
      { value: [7] },
      { take: [1, 2] as [number, number], switch: { at: 0, below: 1, above: 0 } },
    ];
    expect(mapActions(chunk([2, 2], 2, -1, 4, 1), { parts }, vector)).toEqual([
      [0.1, 7, 1],
      [0.2, 7, 0],
    ]);
  });

  it("mapActions chooses a named action by index or by the largest of several scores", () => {
    const names = ["stop", "move_forward", "turn_left"];
    expect(mapActions(chunk([1], 2), { names }, named)).toEqual(["turn_left"]);
    expect(mapActions(chunk([2, 3], 0, 5, 1, 9, 0, 0), { names }, named)).toEqual([
      "move_forward",
      "stop",
    ]);
    expect(mapActions(["stop", "turn_left"], undefined, named)).toEqual(["stop", "turn_left"]);
    expect(() => mapActions(chunk([1], 3), { names }, named)).toThrow("chose action 3");
  });

  it("mapActions stops the run when an unmapped reply has another size than the task actions", () => {
    expect(() => mapActions(chunk([7], 1, 2, 3, 4, 5, 6, 7), undefined, vector)).toThrow(
      expect.objectContaining({
        name: "StopRunError",
        message: "the policy's actions have 7 numbers, this task's have 3",
      }),
    );
    expect(() => mapActions(chunk([2], 1, 2), undefined, named)).toThrow(
      "this task's actions are names",
    );
  });

  it.each([
    [chunk([0, 3]), "no action"],
    [{ a: 1 }, "the policy answered"],
    [chunk([3], 1, Number.NaN, 3), "not a finite number"],
  ])("mapActions rejects a reply without a valid action: %j", (reply, text) => {
    expect(() => mapActions(reply, undefined, vector)).toThrow(
      expect.objectContaining({ name: "ProtocolError", message: expect.stringContaining(text) }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { NdArray } from "../../api/codec/ndarray.js";
import { simStateSchema } from "./messages.js";
import { actionSpaceOf, observationOf, stepState } from "./state.js";

describe("the state of a remote simulator", () => {
  const recorded = (state: object, done = false) => stepState(simStateSchema.parse(state), done);

  it("the state of a remote simulator has only the reported fields, and always success and done", () => {
    expect(recorded({ success: false })).toEqual({ success: false, done: false });
    expect(recorded({ success: true }, true)).toEqual({ success: true, done: true });
    expect(recorded({ success: true, done: true })).toEqual({ success: true, done: true });
  });

  it("the state of a remote simulator accepts lists and arrays and keeps unknown fields", () => {
    expect(
      recorded({
        success: false,
        ee_pos: NdArray.of([1, 2, 3]),
        objects: { cup: { pos: [0, 0, 1], mass: 2 } },
        contact: new NdArray("<f4", [2, 2], Float32Array.of(1, 2, 3, 4)),
        deep: { list: [NdArray.of([7])] },
      }),
    ).toEqual({
      success: false,
      done: false,
      ee_pose: [1, 2, 3, 1, 0, 0, 0],
      objects: { cup: { position: [0, 0, 1], rotation_wxyz: [1, 0, 0, 0], mass: 2 } },
      contact: [
        [1, 2],
        [3, 4],
      ],
      deep: { list: [[7]] },
    });
  });

  it.each([
    ["ee_pos", "here"],
    ["ee_pos", [0]],
    ["ee_pos", [0, 0, 0, 0]],
    ["ee_pos", [Number.NaN, 0, 0]],
    ["ee_pos", [null, "x", 0]],
    ["ee_pos", NdArray.of([0, Number.POSITIVE_INFINITY, 0])],
    ["ee_quat_wxyz", [1, 0, 0]],
    ["qpos", [Number.NaN]],
    ["qvel", [[0, Number.NaN]]],
    ["sim_state", NdArray.of([Number.NEGATIVE_INFINITY])],
    ["objects", { ball: { pos: [null, "x", 0] } }],
    ["objects", { ball: { pos: [0, 0, 0], quat_wxyz: [1] } }],
  ])("the state of a remote simulator is rejected if %s is %j", (field, value) => {
    expect(simStateSchema.safeParse({ success: true, [field]: value }).success).toBe(false);
  });

  it("the state of a remote simulator is rejected without success", () => {
    expect(simStateSchema.safeParse({ done: false }).success).toBe(false);
  });
});

describe("the observation of a remote simulator", () => {
  it("the observation of a remote simulator contains an image only if the simulator declares it", () => {
    const rows = new NdArray("<f4", [1, 2], Float32Array.of(1, 2));
    const sensors = { depth: { kind: "depth" }, grid: { kind: "state" } } as const;
    expect(observationOf({ depth: rows, grid: rows }, sensors)).toEqual({
      depth: { kind: "depth", width: 2, height: 1, data: Float32Array.of(1, 2) },
      grid: [[1, 2]],
    });
  });
});

describe("the actions of a remote simulator", () => {
  it("the actions of a remote simulator have limits if all of them are finite", () => {
    const endless = actionSpaceOf({ type: "continuous", low: [-1, -Infinity], high: [1, 2] });
    expect([endless.size, endless.range]).toEqual([2, undefined]);
    expect(actionSpaceOf({ type: "discrete", actions: ["left", "right"] }).actions).toEqual([
      "left",
      "right",
    ]);
  });
});

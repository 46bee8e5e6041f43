import { describe, expect, it } from "vitest";
import { NdArray } from "../../api/codec/ndarray.js";
import { simStateSchema } from "./messages.js";
import { actionSpaceOf, observationOf, stepState } from "./state.js";

describe("the state of a simulator elsewhere", () => {
  const recorded = (state: object, done = false) => stepState(simStateSchema.parse(state), done);

  it("has only what was told, with success and end always", () => {
    expect(recorded({ success: false })).toEqual({ success: false, done: false });
    expect(recorded({ success: true }, true)).toEqual({ success: true, done: true });
    expect(recorded({ success: true, done: true })).toEqual({ success: true, done: true });
  });

  it("takes lists and arrays, and keeps what it has no name for", () => {
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

  it("is refused without success", () => {
    expect(simStateSchema.safeParse({ done: false }).success).toBe(false);
  });
});

describe("what a policy sees of it", () => {
  it("is a picture only where the simulator says so", () => {
    const rows = new NdArray("<f4", [1, 2], Float32Array.of(1, 2));
    const sensors = { depth: { kind: "depth" }, grid: { kind: "state" } } as const;
    expect(observationOf({ depth: rows, grid: rows }, sensors)).toEqual({
      depth: { kind: "depth", width: 2, height: 1, data: Float32Array.of(1, 2) },
      grid: [[1, 2]],
    });
  });
});

describe("its actions", () => {
  it("have limits where all of them are finite", () => {
    const endless = actionSpaceOf({ type: "continuous", low: [-1, -Infinity], high: [1, 2] });
    expect([endless.size, endless.range]).toEqual([2, undefined]);
    expect(actionSpaceOf({ type: "discrete", actions: ["left", "right"] }).actions).toEqual([
      "left",
      "right",
    ]);
  });
});

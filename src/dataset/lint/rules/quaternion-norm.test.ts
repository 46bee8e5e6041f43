import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { quaternionNorm } from "./quaternion-norm.js";

const starting = (rotation: readonly [number, number, number, number]) =>
  soundEpisode({ startState: { position: [0, 0, 0], rotation } });

describe("quaternion_norm", () => {
  it("quaternion_norm finds a rotation whose length is close to 1", () => {
    expect(problemsOf(quaternionNorm, starting([0, 0.7, 0, 0.708]))).toMatchObject([
      { field: "start_state.rotation", message: "its length is 0.99562" },
    ]);
  });

  it("quaternion_norm accepts rounding to five decimals and missing rotations", () => {
    const none = soundEpisode({ startState: { base_pose: [0, 0, 0] } });
    expect(problemsOf(quaternionNorm, [starting([0, 0.86832, 0, -0.49601]), none])).toEqual([]);
  });
});

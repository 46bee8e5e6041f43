import { describe, expect, it } from "vitest";
import type { Verdict } from "./judges/verdict.js";
import { stepState } from "./step-state.js";

const ROBOT = { qpos: [0.1], qvel: [0.2], ee_pose: [1, 2, 3, 1, 0, 0, 0], gripper_state: 1 };
const OBJECTS = { cup: { position: [1, 2, 3], rotation_wxyz: [1, 0, 0, 0] } } as const;

/** With every key that a verdict may have: the compiler asks for those that are added. */
const FULL: Required<Verdict> = {
  conditions: [{ name: "at_rest", value: 0, threshold: 1, holds: true }],
  stages: { reached: true },
  success: true,
  target: "cup",
  reach_m: 0.1,
  lift_m: 0.2,
  object_grasped: true,
  object_lifted: false,
  object_placed: false,
};

describe("a step's state", () => {
  it("has all of the robot's, the objects, all of the verdict and what went wrong, in this order", () => {
    const state = stepState(ROBOT, OBJECTS, FULL, "the cup fell");
    const error = "the physics diverged: the cup fell";
    const expected = { ...ROBOT, objects: OBJECTS, ...FULL, error };
    expect(JSON.stringify(state)).toBe(JSON.stringify(expected));
  });

  it("lacks what the verdict leaves out", () => {
    const { conditions, stages, success, target } = FULL;
    const state = stepState(ROBOT, OBJECTS, { conditions, stages, success, target }, undefined);
    expect(Object.keys(state)).toEqual([
      ...["qpos", "qvel", "ee_pose", "gripper_state", "objects"],
      ...["conditions", "stages", "success", "target"],
    ]);
  });
});

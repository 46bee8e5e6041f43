import { describe, expect, it } from "vitest";
import { stepState } from "./step-state.js";

const ROBOT = { qpos: [0.1], qvel: [0.2], ee_pose: [1, 2, 3, 1, 0, 0, 0], gripper_state: 1 };
const OBJECTS = { cup: { position: [1, 2, 3], rotation_wxyz: [1, 0, 0, 0] } } as const;

describe("stepState", () => {
  it("stepState has the robot state, the objects and the error, in this order", () => {
    const state = stepState(ROBOT, OBJECTS, "the cup fell");
    const error = "the physics diverged: the cup fell";
    expect(JSON.stringify(state)).toBe(JSON.stringify({ ...ROBOT, objects: OBJECTS, error }));
  });

  it("stepState has no error while the physics is valid", () => {
    expect(stepState(ROBOT, OBJECTS, undefined)).not.toHaveProperty("error");
  });
});

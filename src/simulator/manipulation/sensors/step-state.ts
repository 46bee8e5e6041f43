import type { StepState } from "../../../core/interfaces/step.js";
import type { RobotState } from "./robot-state.js";

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A step's state without rule results. Keys are assigned one by one: spreading takes 10 us instead of 0.1 us. */
export function stepState(
  robot: RobotState,
  objects: NonNullable<StepState["objects"]>,
  diverged: string | undefined,
  base?: { readonly pose: readonly [number, number, number]; readonly blocked: boolean },
): StepState {
  const state: Writable<StepState> = {
    qpos: robot.qpos,
    qvel: robot.qvel,
    ee_pose: robot.ee_pose,
  };
  if (robot.gripper_state !== undefined) state.gripper_state = robot.gripper_state;
  if (base) {
    state.base_pose = base.pose;
    state.collided = base.blocked;
  }
  state.objects = objects;
  if (diverged !== undefined) state.error = `the physics diverged: ${diverged}`;
  return state;
}

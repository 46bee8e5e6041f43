import type { ActionSpace } from "../../../core/task/types.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { Physics } from "../physics/physics.js";
import { EeDeltaPose } from "./ee-delta-pose.js";
import { JointDelta } from "./joint-delta.js";
import { JointPosition } from "./joint-position.js";

export const CONTROL_MODES = ["joint_position", "joint_delta", "ee_delta_pose"] as const;

/** What the numbers of an action mean. */
export type ControlMode = (typeof CONTROL_MODES)[number];

/** Turns actions into the robot's actuator controls, for the physics steps that follow. */
export interface Controller {
  /** Under the names that the task offers beside the vector. */
  readonly actionSpace: ActionSpace;
  /** Throws a ProtocolError for what is no action of this space. */
  apply(action: readonly number[]): void;
}

/** `base` is the task's own space: what it offers beside the vector stays. */
export function makeController(
  mode: ControlMode,
  physics: Physics,
  robot: RobotDescriptor,
  base?: ActionSpace,
): Controller {
  switch (mode) {
    case "joint_position":
      return new JointPosition(physics, robot, base);
    case "joint_delta":
      return new JointDelta(physics, robot, base);
    case "ee_delta_pose":
      return new EeDeltaPose(physics, robot, base);
  }
}

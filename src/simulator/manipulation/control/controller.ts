import type { ActionSpace } from "../../../core/task/types.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { Physics } from "../physics/physics.js";
import { EeDeltaPose } from "./ee-delta-pose.js";
import { JointTargets } from "./joint-targets.js";

export const CONTROL_MODES = ["joint_position", "joint_delta", "ee_delta_pose"] as const;

/** How action vectors are interpreted. */
export type ControlMode = (typeof CONTROL_MODES)[number];

/** Turns actions into the robot's actuator controls, for the physics steps that follow. */
export interface Controller {
  /** The mode's vector, with the named actions of the task. */
  readonly actionSpace: ActionSpace;
  /** @throws ProtocolError if the action is not in `actionSpace` */
  apply(action: readonly number[]): void;
  /** The action that keeps the robot as it is. */
  hold(): readonly number[];
  /** Called before each physics step, if the robot has motors; see `Physics.step`. */
  readonly beforeStep: (() => void) | undefined;
}

/** `base` is the task's action space, whose named actions are kept. */
export function makeController(
  mode: ControlMode,
  physics: Physics,
  robot: RobotDescriptor,
  base?: ActionSpace,
): Controller {
  switch (mode) {
    case "joint_position":
      return new JointTargets(physics, robot, false, base);
    case "joint_delta":
      return new JointTargets(physics, robot, true, base);
    case "ee_delta_pose":
      return new EeDeltaPose(physics, robot, base);
  }
}

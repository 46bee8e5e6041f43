import type { TaskConventions } from "../../core/task/conventions.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";

/** `ee_delta_pose`: translation, rotation, and the gripper's opening from 0 to 1, if there is a gripper. */
function deltaConventions(robot: RobotDescriptor | undefined): TaskConventions {
  const hasNone = robot?.model !== undefined && robot.gripperDof === undefined;
  return hasNone ? { action_dim: 6 } : { action_dim: 7, gripper_open: 1, gripper_closed: 0 };
}

/** Conventions of actions and poses for a control mode. */
export function handlingConventions(
  robot: RobotDescriptor | undefined,
  controlMode: unknown,
): TaskConventions {
  const mode = typeof controlMode === "string" ? controlMode : "joint_position";
  return {
    control_mode: mode,
    action_kind: mode === "joint_position" ? "absolute" : "delta",
    quaternion_order: "wxyz",
    ...(mode === "ee_delta_pose" ? deltaConventions(robot) : {}),
    ...(mode === "joint_position" ? gripperValues(robot) : {}),
  };
}

function gripperValues(robot: RobotDescriptor | undefined): TaskConventions {
  const gripper = robot?.model?.gripper;
  return gripper ? { gripper_open: gripper.open, gripper_closed: gripper.closed } : {};
}

import type { TaskConventions } from "../../core/task/conventions.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import type { Driving } from "./actions.js";

/** `ee_delta_pose`: translation, rotation, and the gripper's opening from 0 to 1, if there is a gripper. */
function deltaConventions(robot: RobotDescriptor | undefined): TaskConventions {
  const hasNone = robot?.model !== undefined && robot.gripperDof === undefined;
  return hasNone ? { action_dim: 6 } : { action_dim: 7, gripper_open: 1, gripper_closed: 0 };
}

/** How a base drives: the lengths of named actions, and the highest speeds. */
export function drivingConventions(driving: Driving | undefined): TaskConventions {
  if (!driving) return {};
  return {
    forward_step_m: driving.forwardStepM,
    turn_angle_deg: driving.turnAngleDeg,
    base_velocity: driving.velocity !== undefined,
    base_max_forward_mps: driving.maxForwardMps,
    base_max_turn_radps: driving.maxTurnRadps,
    ee_pose_frame: "base",
    gps_axes: "x right, y up, -z ahead of the start pose",
  };
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

import { dofFrom, type JointDescriptor, type RobotDescriptor } from "./descriptor.js";

/**
 * Hello Robot's Stretch: a planar base, a lift, a telescoping arm, a wrist and a gripper.
 *
 * Ten joints have names, seven numbers move them: the four arm segments are one telescope with one
 * actuator. Limits are the published URDF's; a range of +-1.8, sometimes given for the arm segments,
 * is no telescope's. The base's limits bound one episode's workspace; the gripper's are those of the
 * Stretch 3 slide model (Menagerie), closed to open, per finger.
 */
export const STRETCH_JOINTS: readonly JointDescriptor[] = [
  { name: "translate_x", unit: "m", limits: [-0.5, 0.5] },
  { name: "translate_y", unit: "m", limits: [-0.5, 0.5] },
  { name: "rotate_z", unit: "rad", limits: [-3.14, 3.14] },
  { name: "joint_lift", unit: "m", limits: [0, 1.1] },
  { name: "joint_arm_l0", unit: "m", limits: [0, 0.13] },
  { name: "joint_arm_l1", unit: "m", limits: [0, 0.13] },
  { name: "joint_arm_l2", unit: "m", limits: [0, 0.13] },
  { name: "joint_arm_l3", unit: "m", limits: [0, 0.13] },
  { name: "joint_wrist_yaw", unit: "rad", limits: [-1.75, 4] },
  { name: "joint_gripper_finger_left", unit: "m", limits: [0, 0.04] },
];

/** The seven degrees of freedom over Stretch's ten joints. */
export function stretchLike(
  robotType: string,
  description: string,
  joints: readonly JointDescriptor[],
): RobotDescriptor {
  const named = (...names: string[]) => joints.filter((joint) => names.includes(joint.name));
  return {
    robotType,
    description,
    joints,
    dofs: [
      dofFrom("base_x", named("translate_x")),
      dofFrom("base_y", named("translate_y")),
      dofFrom("base_theta", named("rotate_z")),
      dofFrom("lift", named("joint_lift")),
      dofFrom("arm", named("joint_arm_l0", "joint_arm_l1", "joint_arm_l2", "joint_arm_l3")),
      dofFrom("wrist_yaw", named("joint_wrist_yaw")),
      dofFrom("gripper", named("joint_gripper_finger_left")),
    ],
    gripperDof: 6,
  };
}

export const STRETCH: RobotDescriptor = stretchLike(
  "stretch",
  "Hello Robot Stretch: planar base, lift, telescoping arm, wrist yaw, gripper",
  STRETCH_JOINTS,
);

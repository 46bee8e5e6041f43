import { mjcf } from "../core/mjcf/element.js";
import { dofFrom, type GripperRobot, type JointDescriptor } from "./descriptor.js";
import { gripperDrive } from "./parallel-gripper.js";
import { coupled, jointServo, tendonServo } from "./servo.js";
import { STRETCH_NO_CONTACT, stretchBody } from "./stretch-body.js";
import type { Limits } from "./stretch-hand.js";
import {
  ARM_SERVO,
  BASE_SERVO,
  LIFT_SERVO,
  STRETCH_GRIPPER,
  TURN_SERVO,
  WRIST_SERVO,
} from "./stretch-servos.js";

/**
 * Hello Robot's Stretch: a planar base, a lift, a telescoping arm, a wrist and a gripper.
 *
 * Seven degrees of freedom move ten named joints: the four arm segments form one telescoping arm with one
 * actuator. Limits are from the published URDF; the range of +-1.8 sometimes given for the arm segments is
 * impossible for a telescope. The base limits bound the workspace of an episode; the gripper limits are those of the
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
  { name: "joint_gripper_finger_left", unit: "m", limits: STRETCH_GRIPPER.range },
];

const ARM = ["joint_arm_l0", "joint_arm_l1", "joint_arm_l2", "joint_arm_l3"] as const;

/** Builds a Stretch variant: seven degrees of freedom over ten joints, and the model. */
export function stretchLike(
  robotType: string,
  description: string,
  joints: readonly JointDescriptor[],
): GripperRobot {
  const named = (...names: string[]) => joints.filter((joint) => names.includes(joint.name));
  const arm = dofFrom("arm", named(...ARM));
  return {
    robotType,
    description,
    joints,
    dofs: [
      dofFrom("base_x", named("translate_x")),
      dofFrom("base_y", named("translate_y")),
      dofFrom("base_theta", named("rotate_z")),
      dofFrom("lift", named("joint_lift")),
      arm,
      dofFrom("wrist_yaw", named("joint_wrist_yaw")),
      dofFrom("gripper", named("joint_gripper_finger_left")),
    ],
    gripperDof: 6,
    model: stretchModel(limitsIn(joints), arm.limits),
  };
}

function limitsIn(joints: readonly JointDescriptor[]): Limits {
  return (name) => {
    const joint = joints.find((candidate) => candidate.name === name);
    if (!joint) throw new RangeError(`Stretch requires the joint ${name}`);
    return joint.limits;
  };
}

function stretchModel(limits: Limits, armLimits: readonly [number, number]): GripperRobot["model"] {
  const drive = gripperDrive(STRETCH_GRIPPER);
  const own = (joint: string, servo: typeof LIFT_SERVO) =>
    jointServo(joint, joint, servo, limits(joint));
  return {
    mjcf: {
      worldbody: [stretchBody(limits)],
      contact: STRETCH_NO_CONTACT.map(([body1, body2]) => mjcf("exclude", { body1, body2 })),
      equality: [...ARM.slice(1).map((joint) => coupled(joint, ARM[0])), ...(drive.equality ?? [])],
      tendon: [
        mjcf(
          "fixed",
          { name: "joint_arm" },
          ...ARM.map((joint) => mjcf("joint", { joint, coef: 1 })),
        ),
        ...(drive.tendon ?? []),
      ],
      actuator: [
        own("translate_x", BASE_SERVO),
        own("translate_y", BASE_SERVO),
        own("rotate_z", TURN_SERVO),
        own("joint_lift", LIFT_SERVO),
        tendonServo("joint_arm", "joint_arm", ARM_SERVO, armLimits),
        own("joint_wrist_yaw", WRIST_SERVO),
        ...(drive.actuator ?? []),
      ],
    },
    actuators: [
      "translate_x",
      "translate_y",
      "rotate_z",
      "joint_lift",
      "joint_arm",
      "joint_wrist_yaw",
      STRETCH_GRIPPER.actuator,
    ],
    home: [0, 0, 0, 0.8, 0.1, 0, 0.04],
    endEffectorSite: "grasp_center",
    gripper: {
      open: STRETCH_GRIPPER.range[1],
      closed: STRETCH_GRIPPER.range[0],
      fingers: [["fingertip_left"], ["fingertip_right"]],
      openingM: 2 * STRETCH_GRIPPER.range[1],
    },
    cameras: { head: "head", wrist: "wrist" },
  };
}

export const STRETCH: GripperRobot = stretchLike(
  "stretch",
  "Hello Robot Stretch: planar base, lift, telescoping arm, wrist yaw, gripper",
  STRETCH_JOINTS,
);

import type { Vec3 } from "../core/math/vec3.js";
import { mjcf } from "../core/mjcf/element.js";
import { dofFrom, type GripperRobot, type JointDescriptor } from "./descriptor.js";
import { dampingOf, type Servo } from "./servo.js";
import { fixedHead, stretchBody } from "./stretch-body.js";
import { type Limits, stretchHand } from "./stretch-hand.js";
import {
  ARM_JOINTS,
  armActuator,
  limitsIn,
  ownActuator,
  STRETCH_HAND_MODEL,
  stretchMjcf,
} from "./stretch-mechanism.js";
import {
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

/** Builds a Stretch variant: seven degrees of freedom over ten joints, and the model. */
export function stretchLike(
  robotType: string,
  description: string,
  joints: readonly JointDescriptor[],
): GripperRobot {
  const named = (...names: string[]) => joints.filter((joint) => names.includes(joint.name));
  const arm = dofFrom("arm", named(...ARM_JOINTS));
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

/**
 * Three joints move the base in the plane in any direction, as translate_x, translate_y and rotate_z require; the real
 * robot has two wheels and cannot move sideways.
 */
function planarBase(limits: Limits) {
  const slide = (name: string, axis: Vec3) =>
    mjcf("joint", {
      name,
      type: "slide",
      axis,
      range: limits(name),
      damping: dampingOf(BASE_SERVO),
    });
  return [
    slide("translate_x", [1, 0, 0]),
    slide("translate_y", [0, 1, 0]),
    mjcf("joint", {
      name: "rotate_z",
      type: "hinge",
      axis: [0, 0, 1],
      range: limits("rotate_z"),
      damping: dampingOf(TURN_SERVO),
    }),
  ];
}

function stretchModel(limits: Limits, armLimits: readonly [number, number]): GripperRobot["model"] {
  const own = (joint: string, servo: Servo) => ownActuator(joint, servo, limits);
  const body = stretchBody(limits, {
    base: planarBase(limits),
    head: fixedHead(),
    hand: (at) => stretchHand(at, limits),
  });
  return {
    ...STRETCH_HAND_MODEL,
    mjcf: stretchMjcf(body, [
      own("translate_x", BASE_SERVO),
      own("translate_y", BASE_SERVO),
      own("rotate_z", TURN_SERVO),
      own("joint_lift", LIFT_SERVO),
      armActuator(armLimits),
      own("joint_wrist_yaw", WRIST_SERVO),
    ]),
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
  };
}

export const STRETCH: GripperRobot = stretchLike(
  "stretch",
  "Hello Robot Stretch: planar base, lift, telescoping arm, wrist yaw, gripper",
  STRETCH_JOINTS,
);

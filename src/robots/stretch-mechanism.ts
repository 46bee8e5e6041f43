import { type MjcfElement, mjcf } from "../core/mjcf/element.js";
import type { MjcfFragment } from "../core/mjcf/fragment.js";
import type { GripperRobot, JointDescriptor } from "./descriptor.js";
import { gripperDrive } from "./parallel-gripper.js";
import { coupled, jointServo, type Servo, tendonServo } from "./servo.js";
import { STRETCH_NO_CONTACT } from "./stretch-body.js";
import type { Limits } from "./stretch-hand.js";
import { ARM_SERVO, STRETCH_GRIPPER } from "./stretch-servos.js";

/** The segments of the telescoping arm, which one actuator moves together. */
export const ARM_JOINTS = ["joint_arm_l0", "joint_arm_l1", "joint_arm_l2", "joint_arm_l3"] as const;

const DRIVE = gripperDrive(STRETCH_GRIPPER);

/**
 * The model of a variant of Stretch: its body, its own actuators, and what all variants share.
 *
 * @param more actuators that follow the gripper's
 */
export function stretchMjcf(
  body: MjcfElement,
  actuator: readonly MjcfElement[],
  more: readonly MjcfElement[] = [],
): MjcfFragment {
  return {
    worldbody: [body],
    contact: STRETCH_NO_CONTACT.map(([body1, body2]) => mjcf("exclude", { body1, body2 })),
    equality: [
      ...ARM_JOINTS.slice(1).map((joint) => coupled(joint, ARM_JOINTS[0])),
      ...(DRIVE.equality ?? []),
    ],
    tendon: [
      mjcf(
        "fixed",
        { name: "joint_arm" },
        ...ARM_JOINTS.map((joint) => mjcf("joint", { joint, coef: 1 })),
      ),
      ...(DRIVE.tendon ?? []),
    ],
    actuator: [...actuator, ...(DRIVE.actuator ?? []), ...more],
  };
}

export function armActuator(range: readonly [number, number]): MjcfElement {
  return tendonServo("joint_arm", "joint_arm", ARM_SERVO, range);
}

/** The actuator of one joint, of the same name. */
export function ownActuator(joint: string, servo: Servo, limits: Limits): MjcfElement {
  return jointServo(joint, joint, servo, limits(joint));
}

/** The parts of the model that all variants share. */
export const STRETCH_HAND_MODEL = {
  endEffectorSite: "grasp_center",
  gripper: {
    open: STRETCH_GRIPPER.range[1],
    closed: STRETCH_GRIPPER.range[0],
    fingers: [["fingertip_left"], ["fingertip_right"]],
    openingM: 2 * STRETCH_GRIPPER.range[1],
  },
  cameras: { head: "head", wrist: "wrist" },
} as const satisfies Partial<GripperRobot["model"]>;

export function limitsIn(joints: readonly JointDescriptor[]): Limits {
  return (name) => {
    const joint = joints.find((candidate) => candidate.name === name);
    if (!joint) throw new RangeError(`Stretch requires the joint ${name}`);
    return joint.limits;
  };
}

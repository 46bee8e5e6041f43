import { mjcf } from "../core/mjcf/element.js";
import { dofFrom, type GripperRobot, type JointDescriptor } from "./descriptor.js";
import { PANDA_NO_CONTACT, pandaBody } from "./panda-body.js";
import { PANDA_AXES, PANDA_GRIPPER } from "./panda-servos.js";
import { gripperDrive } from "./parallel-gripper.js";
import { jointServo } from "./servo.js";

const JOINTS: readonly JointDescriptor[] = [
  ...PANDA_AXES.map(({ joint, limits }) => ({ name: joint, unit: "rad" as const, limits })),
  { name: PANDA_GRIPPER.joints[0], unit: "m", limits: PANDA_GRIPPER.range },
];

const drive = gripperDrive(PANDA_GRIPPER);

/**
 * Franka Emika's Panda, an arm with seven axes and a parallel gripper, with its published kinematics and limits. It
 * is mounted on a pedestal at about table height and grasps objects from above.
 */
export const PANDA: GripperRobot = {
  robotType: "panda",
  description: "Franka Emika Panda on a pedestal: seven axes, parallel gripper",
  joints: JOINTS,
  dofs: JOINTS.map((joint, i) => dofFrom(i < 7 ? `joint${i + 1}` : "gripper", [joint])),
  gripperDof: 7,
  model: {
    mjcf: {
      worldbody: [pandaBody()],
      contact: PANDA_NO_CONTACT.map(([body1, body2]) => mjcf("exclude", { body1, body2 })),
      ...drive,
      actuator: [
        ...PANDA_AXES.map(({ joint, servo, limits }) => jointServo(joint, joint, servo, limits)),
        ...(drive.actuator ?? []),
      ],
    },
    actuators: [...PANDA_AXES.map(({ joint }) => joint), PANDA_GRIPPER.actuator],
    // Franka's "ready" pose, with the fingers pointing down over the workspace.
    home: [0, -Math.PI / 4, 0, (-3 * Math.PI) / 4, 0, Math.PI / 2, Math.PI / 4, 0.04],
    endEffectorSite: "panda_grasp_center",
    gripper: {
      open: PANDA_GRIPPER.range[1],
      closed: PANDA_GRIPPER.range[0],
      fingers: [["panda_fingertip_left"], ["panda_fingertip_right"]],
      openingM: 2 * PANDA_GRIPPER.range[1],
    },
    cameras: { head: "head", wrist: "wrist" },
  },
};

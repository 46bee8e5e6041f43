import { type MjcfElement, mjcf } from "../core/mjcf/element.js";
import {
  dofFrom,
  type GripperRobot,
  type JointDescriptor,
  type WheeledBase,
} from "./descriptor.js";
import { dampingOf, type Servo } from "./servo.js";
import { stretchBody } from "./stretch-body.js";
import { type Limits, stretchHand } from "./stretch-hand.js";
import { pannedHead } from "./stretch-head.js";
import {
  ARM_JOINTS,
  armActuator,
  limitsIn,
  ownActuator,
  STRETCH_HAND_MODEL,
  stretchMjcf,
} from "./stretch-mechanism.js";
import { HEAD_SERVO, LIFT_SERVO, STRETCH_GRIPPER, WRIST_SERVO } from "./stretch-servos.js";

/**
 * Ranges of Stretch 3 with its Dex Wrist (MuJoCo Menagerie, hello_robot_stretch_3/stretch.xml). The gripper opens as
 * that of `stretch`: per finger, closed to open.
 */
const JOINTS: readonly JointDescriptor[] = [
  { name: "joint_lift", unit: "m", limits: [0, 1.1] },
  ...ARM_JOINTS.map((name) => ({ name, unit: "m", limits: [0, 0.13] }) as const),
  { name: "joint_wrist_yaw", unit: "rad", limits: [-1.39, 4.42] },
  { name: "joint_wrist_pitch", unit: "rad", limits: [-1.57, 0.56] },
  { name: "joint_gripper_finger_left", unit: "m", limits: STRETCH_GRIPPER.range },
  { name: "joint_head_pan", unit: "rad", limits: [-4.04, 1.73] },
  { name: "joint_head_tilt", unit: "rad", limits: [-1.53, 0.79] },
];

/** Track, speed and acceleration of Stretch 3 (hello-robot/stretch_body, robot_params_SE3.py: `base`, motion `max`). */
const BASE: WheeledBase = {
  joints: ["base_x", "base_y", "base_yaw"],
  actuators: ["base_forward", "base_sideways", "base_turn"],
  trackM: 0.3153,
  wheelMps: 0.3,
  wheelMps2: 0.3,
};

const CENTRE = "base_centre";

/**
 * Velocity gains: the largest that reach a new speed within one physics step of 2 ms without overshoot, which is the
 * moved mass (25 kg) or inertia over the step. The sideways limit is what rubber tyres bear (friction 0.7).
 */
const VELOCITY = [
  { name: BASE.actuators[0], gear: [1, 0, 0, 0, 0, 0], kv: 12000, forceLimit: 120 },
  { name: BASE.actuators[1], gear: [0, 1, 0, 0, 0, 0], kv: 100000, forceLimit: 170 },
  { name: BASE.actuators[2], gear: [0, 0, 0, 0, 0, 1], kv: 500, forceLimit: 40 },
] as const;

/** The base moves along the joints, which turn last, so that x and y are those of the world. */
function wheels(): readonly MjcfElement[] {
  const [x, y, yaw] = BASE.joints;
  return [
    mjcf("joint", { name: x, type: "slide", axis: [1, 0, 0] }),
    mjcf("joint", { name: y, type: "slide", axis: [0, 1, 0] }),
    mjcf("joint", { name: yaw, type: "hinge", axis: [0, 0, 1] }),
    mjcf("site", { name: CENTRE, pos: [0, 0, 0], size: [0.004], group: 4 }),
  ];
}

function wheelActuators(): readonly MjcfElement[] {
  return VELOCITY.map(({ name, gear, kv, forceLimit }) =>
    mjcf("velocity", {
      name,
      site: CENTRE,
      gear,
      kv,
      forcerange: [-forceLimit, forceLimit],
    }),
  );
}

function tilt(limits: Limits): MjcfElement {
  return mjcf("joint", {
    name: "joint_wrist_pitch",
    type: "hinge",
    // Positive values point the fingers up.
    axis: [0, -1, 0],
    range: limits("joint_wrist_pitch"),
    damping: dampingOf(WRIST_SERVO),
    armature: 0.02,
  });
}

/** Arm drawn in and the hand folded over the base, as it drives. */
const HOME = [0.6, 0, Math.PI, 0, STRETCH_GRIPPER.range[1], 0, -0.4] as const;

const LIMITS = limitsIn(JOINTS);
const ARM = dofFrom(
  "arm",
  JOINTS.filter(({ name }) => ARM_JOINTS.some((segment) => segment === name)),
);

function single(dof: string, joint: string) {
  return dofFrom(
    dof,
    JOINTS.filter(({ name }) => name === joint),
  );
}

const own = (joint: string, servo: Servo) => ownActuator(joint, servo, LIMITS);

export const STRETCH_MOBILE: GripperRobot = {
  robotType: "stretch_mobile",
  description:
    "Hello Robot Stretch 3 that drives: wheeled base, lift, telescoping arm, wrist yaw and pitch, gripper, head pan and tilt",
  joints: JOINTS,
  dofs: [
    single("lift", "joint_lift"),
    ARM,
    single("wrist_yaw", "joint_wrist_yaw"),
    single("wrist_pitch", "joint_wrist_pitch"),
    single("gripper", "joint_gripper_finger_left"),
    single("head_pan", "joint_head_pan"),
    single("head_tilt", "joint_head_tilt"),
  ],
  gripperDof: 4,
  model: {
    ...STRETCH_HAND_MODEL,
    mjcf: stretchMjcf(
      stretchBody(LIMITS, {
        base: wheels(),
        head: pannedHead(LIMITS),
        hand: (at) => stretchHand(at, LIMITS, [tilt(LIMITS)]),
      }),
      [
        own("joint_lift", LIFT_SERVO),
        armActuator(ARM.limits),
        own("joint_wrist_yaw", WRIST_SERVO),
        own("joint_wrist_pitch", WRIST_SERVO),
      ],
      [own("joint_head_pan", HEAD_SERVO), own("joint_head_tilt", HEAD_SERVO), ...wheelActuators()],
    ),
    actuators: [
      "joint_lift",
      "joint_arm",
      "joint_wrist_yaw",
      "joint_wrist_pitch",
      STRETCH_GRIPPER.actuator,
      "joint_head_pan",
      "joint_head_tilt",
    ],
    base: BASE,
    home: HOME,
  },
};

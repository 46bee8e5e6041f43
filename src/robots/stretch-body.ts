import type { Vec3 } from "../core/math/vec3.js";
import { type MjcfElement, mjcf } from "../core/mjcf/element.js";
import { PAINT } from "./paint.js";
import { dampingOf } from "./servo.js";
import { cameraLooking, seen, solid } from "./shapes.js";
import type { Limits } from "./stretch-hand.js";
import { ARM_SERVO, LIFT_SERVO } from "./stretch-servos.js";

/** Values of the published URDF (RE1V0), converted to base axes: x forward, y left, z up. */
const WHEEL = { y: 0.17035, radius: 0.0508 };
const MAST: Vec3 = [-0.067, 0.135, 0.0284];
const LIFT: Vec3 = [MAST[0] - 0.037385, MAST[1], MAST[2] + 0.1666];
/** Distance from the lift to the front end of the arm's fixed tube. */
const TUBE_END_Y = -0.2547;
const WRIST: Vec3 = [0.083, 0, -0.03075];
const HEAD_CAMERA: Vec3 = [0.006, -0.055, 1.33];
/** Height of the mast. */
const TOP_Z = MAST[2] + 1.33;
/** A point above a table to the robot's right, within reach of the arm. */
const WORKSPACE: Vec3 = [0, -0.72, 0.78];

/** Bodies whose geoms overlap by construction or slide inside each other, so contacts are disabled. */
export const STRETCH_NO_CONTACT: readonly (readonly [string, string])[] = (() => {
  const arm = ["link_arm_l3", "link_arm_l2", "link_arm_l1", "link_arm_l0"];
  const sliding = ["link_lift", ...arm];
  return [
    ...arm.map((segment) => ["base_link", segment] as const),
    ...sliding.flatMap((a, i) => sliding.slice(i + 2).map((b) => [a, b] as const)),
    ["link_gripper_finger_left", "link_gripper_finger_right"],
  ];
})();

/** The parts in which the variants of Stretch differ. */
interface StretchParts {
  /** Joints of the base, and what drives it. */
  readonly base: readonly MjcfElement[];
  /** What the mast carries. */
  readonly head: readonly MjcfElement[];
  /** The hand at a place in front of the last tube. */
  readonly hand: (at: Vec3) => MjcfElement;
}

/** The body as one kinematic tree. The wheels are visual only, and the base does not touch the floor. */
export function stretchBody(limits: Limits, { base, head, hand }: StretchParts): MjcfElement {
  return mjcf(
    "body",
    { name: "base_link" },
    ...base,
    ...chassis(),
    ...mast(),
    ...head,
    lift(limits, hand),
  );
}

/** Masses are from the URDF; the base gets the remainder of the robot's 24.8 kg. */
function chassis(): readonly MjcfElement[] {
  const wheel = (y: number) =>
    seen("cylinder", PAINT.grey, {
      pos: [0, y, WHEEL.radius],
      size: [WHEEL.radius, 0.0125],
      zaxis: [0, 1, 0],
    });
  return [
    // Narrower on the right than the visual geom: with all joints at 0, where episodes may start, the wrist is there.
    solid("box", 18.535, { pos: [-0.105, 0.01, 0.096], size: [0.165, 0.125, 0.064] }),
    seen("box", PAINT.black, { pos: [-0.105, 0, 0.06], size: [0.165, 0.13, 0.03] }),
    seen("box", PAINT.white, { pos: [-0.105, 0, 0.122], size: [0.163, 0.135, 0.032] }),
    seen("box", PAINT.dark, { pos: [-0.105, 0, 0.157], size: [0.15, 0.122, 0.004] }),
    seen("cylinder", PAINT.black, { pos: [0.004, 0, 0.178], size: [0.036, 0.02] }),
    wheel(WHEEL.y),
    wheel(-WHEEL.y),
    seen("sphere", PAINT.red, { pos: [-0.245, 0, 0.032], size: [0.032] }),
  ];
}

function mast(): readonly MjcfElement[] {
  const middle = (MAST[2] + TOP_Z) / 2;
  const half = (TOP_Z - MAST[2]) / 2;
  return [
    solid("box", 1.764, { pos: [MAST[0], MAST[1], middle], size: [0.03, 0.03, half] }),
    seen("box", PAINT.dark, { pos: [MAST[0], MAST[1], middle], size: [0.03, 0.03, half] }),
    // The belt in the mast's slot.
    seen("box", PAINT.grey, {
      pos: [MAST[0] + 0.03, MAST[1], middle],
      size: [0.001, 0.008, half - 0.02],
    }),
  ];
}

/** The plate on the mast, without the camera. */
export function headPlate(massKg: number): readonly MjcfElement[] {
  return [
    solid("box", massKg, { pos: [-0.035, 0.07, TOP_Z + 0.012], size: [0.05, 0.1, 0.018] }),
    seen("box", PAINT.black, { pos: [-0.035, 0.07, TOP_Z + 0.012], size: [0.05, 0.1, 0.018] }),
    seen("cylinder", PAINT.white, { pos: [-0.05, 0.13, TOP_Z + 0.032], size: [0.03, 0.003] }),
  ];
}

/** A head that always looks at the arm's workspace. */
export function fixedHead(): readonly MjcfElement[] {
  return [
    ...headPlate(1.1),
    seen("cylinder", PAINT.dark, { pos: [0.006, 0, TOP_Z - 0.02], size: [0.026, 0.016] }),
    // The camera's case, behind its lens.
    seen("box", PAINT.grey, {
      pos: [HEAD_CAMERA[0], HEAD_CAMERA[1] + 0.03, HEAD_CAMERA[2] - 0.002],
      size: [0.045, 0.018, 0.014],
    }),
    cameraLooking("head", HEAD_CAMERA, WORKSPACE, 58),
  ];
}

function lift(limits: Limits, hand: StretchParts["hand"]): MjcfElement {
  return mjcf(
    "body",
    { name: "link_lift", pos: LIFT, gravcomp: 1 },
    mjcf("joint", {
      name: "joint_lift",
      type: "slide",
      axis: [0, 0, 1],
      range: limits("joint_lift"),
      damping: dampingOf(LIFT_SERVO),
      armature: 1,
      // The real lift motor also carries the arm's weight, so gravity compensation counts towards its force.
      actuatorgravcomp: true,
      actuatorfrcrange: [-120, 120],
    }),
    solid("box", 1.987, { pos: [0.015, -0.02, 0.015], size: [0.065, 0.065, 0.06] }),
    seen("box", PAINT.white, { pos: [0.015, -0.02, 0.015], size: [0.065, 0.065, 0.045] }),
    seen("box", PAINT.black, { pos: [0.015, -0.02, 0.015], size: [0.055, 0.055, 0.06] }),
    ...tube(0.034, 0.25, 0.236, [0, TUBE_END_Y, 0]),
    segment(limits, 3, hand),
  );
}

/** Tubes: half width, length, mass. The first is part of the lift. */
const SEGMENTS = [
  { half: 0.019, length: 0.2, massKg: 0.2 },
  { half: 0.023, length: 0.227, massKg: 0.114 },
  { half: 0.0265, length: 0.231, massKg: 0.131 },
  { half: 0.03, length: 0.238, massKg: 0.147 },
] as const;

function segment(limits: Limits, index: 0 | 1 | 2 | 3, hand: StretchParts["hand"]): MjcfElement {
  const { half, length, massKg } = SEGMENTS[index];
  const name = `joint_arm_l${index}`;
  const from: Vec3 =
    index === 3 ? [0, TUBE_END_Y - 0.013, 0] : [0, index === 0 ? 0.01375 : -0.013, 0];
  return mjcf(
    "body",
    { name: `link_arm_l${index}`, pos: from, gravcomp: 1 },
    mjcf("joint", {
      name,
      type: "slide",
      axis: [0, -1, 0],
      range: limits(name),
      // Each segment moves at a quarter of the arm's speed.
      damping: 4 * dampingOf(ARM_SERVO),
      armature: 1,
    }),
    ...tube(half, length, massKg, [0, 0, 0]),
    ...(index === 0 ? wrist(hand) : [segment(limits, (index - 1) as 0 | 1 | 2, hand)]),
  );
}

/** A carbon tube with a printed ring at its front end, `at`. */
function tube(half: number, length: number, massKg: number, at: Vec3): readonly MjcfElement[] {
  const middle: Vec3 = [at[0], at[1] + length / 2, at[2]];
  return [
    solid("box", massKg, { pos: middle, size: [half, length / 2, half] }),
    seen("box", PAINT.black, { pos: middle, size: [half, length / 2, half] }),
    seen("box", PAINT.grey, {
      pos: [at[0], at[1] + 0.005, at[2]],
      size: [half + 0.0015, 0.006, half + 0.0015],
    }),
  ];
}

/** The block in front of the last tube, with the wrist motor next to it and the hand below. */
function wrist(hand: StretchParts["hand"]): readonly MjcfElement[] {
  return [
    solid("box", 0.228, { pos: [0.046, -0.026, 0], size: [0.064, 0.01, 0.028] }),
    seen("box", PAINT.dark, { pos: [0.046, -0.026, 0], size: [0.064, 0.01, 0.028] }),
    solid("box", 0, { pos: [WRIST[0], 0.004, 0.002], size: [0.024, 0.022, 0.03] }),
    seen("box", PAINT.dark, { pos: [WRIST[0], 0.004, 0.002], size: [0.024, 0.022, 0.03] }),
    seen("box", PAINT.white, { pos: [0.047, -0.026, 0.029], size: [0.022, 0.009, 0.001] }),
    hand(WRIST),
  ];
}

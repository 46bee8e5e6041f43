import type { Vec3 } from "../core/math/vec3.js";
import { type MjcfElement, mjcf } from "../core/mjcf/element.js";
import { PAINT } from "./paint.js";
import { finger } from "./parallel-gripper.js";
import { dampingOf } from "./servo.js";
import { cameraLooking, pad, seen, solid } from "./shapes.js";
import { STRETCH_GRIPPER, WRIST_SERVO } from "./stretch-servos.js";

/** Looks up the limits of a joint by name. */
export type Limits = (joint: string) => readonly [low: number, high: number];

/** Height of the finger plane relative to the wrist joint (URDF, RE1V0). */
const FINGERS_Z = -0.04679;
/** Distance from the wrist axis to the centre of the pads (URDF, SE3). */
const GRASP_X = 0.23;

/**
 * The hand from the wrist yaw joint on. x points along the fingers: to the robot's right at yaw 0, and level unless
 * `pitch` has a joint that tilts it.
 */
export function stretchHand(
  at: Vec3,
  limits: Limits,
  pitch: readonly MjcfElement[] = [],
): MjcfElement {
  return mjcf(
    "body",
    // 90° to the right.
    { name: "link_wrist_yaw", pos: at, quat: [1, 0, 0, -1], gravcomp: 1 },
    mjcf("joint", {
      name: "joint_wrist_yaw",
      type: "hinge",
      axis: [0, 0, 1],
      range: limits("joint_wrist_yaw"),
      damping: dampingOf(WRIST_SERVO),
      armature: 0.02,
    }),
    solid("cylinder", 0.054, { pos: [0, 0, -0.015], size: [0.022, 0.015] }),
    seen("cylinder", PAINT.grey, { pos: [0, 0, -0.015], size: [0.022, 0.015] }),
    mjcf(
      "body",
      { name: "link_gripper", pos: [0, 0, FINGERS_Z], gravcomp: 1 },
      ...pitch,
      solid("box", 0.176, { pos: [0.035, 0, 0], size: [0.06, 0.032, 0.018] }),
      seen("box", PAINT.black, { pos: [0.03, 0, 0.001], size: [0.055, 0.03, 0.017] }),
      // The rail that the fingers slide on.
      solid("box", 0, { pos: [0.098, 0, 0], size: [0.01, 0.058, 0.009] }),
      seen("box", PAINT.dark, { pos: [0.098, 0, 0], size: [0.01, 0.058, 0.009] }),
      seen("box", PAINT.grey, { pos: [0.07, 0, 0.026], size: [0.011, 0.021, 0.01] }),
      cameraLooking("wrist", [0.083, 0, 0.03], [GRASP_X, 0, 0.002], 70),
      mjcf("site", {
        name: "grasp_center",
        pos: [GRASP_X, 0, 0],
        size: [0.004],
        group: 4,
      }),
      oneFinger("left", 0),
      oneFinger("right", 1),
    ),
  );
}

/** Curved outwards, so that round objects fit between the pads and the rail. */
function oneFinger(side: "left" | "right", index: 0 | 1): MjcfElement {
  const out = index === 0 ? 1 : -1;
  const strip = (from: readonly [number, number], to: readonly [number, number], kg: number) => {
    const [dx, dy] = [to[0] - from[0], out * (to[1] - from[1])];
    const shape = {
      pos: [(from[0] + to[0]) / 2, (out * (from[1] + to[1])) / 2, 0],
      size: [Math.sqrt(dx * dx + dy * dy) / 2 + 0.002, 0.003, 0.008],
      xyaxes: [dx, dy, 0, -dy, dx, 0],
    };
    return [solid("box", kg, shape), seen("box", PAINT.dark, shape)];
  };
  const tip = { pos: [GRASP_X, out * 0.004, 0], size: [0.018, 0.004, 0.014] };
  return finger(
    `link_gripper_finger_${side}`,
    STRETCH_GRIPPER,
    index,
    [0, 0],
    [
      ...strip([0.1, 0.013], [0.16, 0.024], 0.03),
      ...strip([0.16, 0.024], [0.214, 0.011], 0.03),
      pad(`fingertip_${side}`, tip),
      seen("box", PAINT.rubber, tip),
      seen("box", PAINT.black, { pos: [GRASP_X, out * 0.01, 0], size: [0.016, 0.003, 0.009] }),
    ],
  );
}

import type { Vec3 } from "../core/math/vec3.js";
import { type MjcfElement, mjcf } from "../core/mjcf/element.js";
import { PAINT } from "./paint.js";
import { dampingOf } from "./servo.js";
import { cameraLooking, seen, solid } from "./shapes.js";
import { headPlate } from "./stretch-body.js";
import type { Limits } from "./stretch-hand.js";
import { HEAD_SERVO } from "./stretch-servos.js";

/** Places and masses of the head's parts (MuJoCo Menagerie, hello_robot_stretch_3). */
const PAN: Vec3 = [0.0061, 0, 1.3552];
/** Below the pan joint. */
const TILT: Vec3 = [-0.0013, 0, -0.0533];
const CAMERA: Vec3 = [0.0406, 0, 0.0203];

/** A head that turns to the left and to the right, and tilts up and down. At 0 its camera looks ahead. */
export function pannedHead(limits: Limits): readonly MjcfElement[] {
  const hinge = (name: string, axis: Vec3) =>
    mjcf("joint", {
      name,
      type: "hinge",
      axis,
      range: limits(name),
      damping: dampingOf(HEAD_SERVO),
      armature: 0.02,
    });
  return [
    ...headPlate(0.833),
    mjcf(
      "body",
      { name: "link_head_pan", pos: PAN, gravcomp: 1 },
      hinge("joint_head_pan", [0, 0, 1]),
      solid("cylinder", 0.127, { pos: [0, 0, -0.016], size: [0.026, 0.016] }),
      seen("cylinder", PAINT.dark, { pos: [0, 0, -0.016], size: [0.026, 0.016] }),
      mjcf(
        "body",
        { name: "link_head_tilt", pos: TILT, gravcomp: 1 },
        // Positive values look up.
        hinge("joint_head_tilt", [0, -1, 0]),
        solid("box", 0.262, { pos: [0.012, 0, 0.012], size: [0.022, 0.045, 0.022] }),
        seen("box", PAINT.dark, { pos: [0.002, 0, 0.008], size: [0.014, 0.02, 0.026] }),
        // The camera's case, behind its lens.
        seen("box", PAINT.grey, {
          pos: [CAMERA[0] - 0.016, 0, CAMERA[2]],
          size: [0.013, 0.045, 0.013],
        }),
        cameraLooking("head", CAMERA, [CAMERA[0] + 1, 0, CAMERA[2]], 58),
      ),
    ),
  ];
}

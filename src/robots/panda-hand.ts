import { type MjcfElement, mjcf } from "../core/mjcf/element.js";
import { PAINT } from "./paint.js";
import { PANDA_FLANGE_M, PANDA_GRIPPER } from "./panda-servos.js";
import { finger } from "./parallel-gripper.js";
import { cameraLooking, pad, seen, solid } from "./shapes.js";

/** Distances from the flange along the fingers (franka_description): to their base and to the grasp point. */
const FINGERS_M = 0.0584;
const GRASP_M = 0.1034;

/** The hand at the flange, rotated by -45° about its axis: z along the fingers, which open along y. */
export function pandaHand(): MjcfElement {
  return mjcf(
    "body",
    {
      name: "panda_hand",
      pos: [0, 0, PANDA_FLANGE_M],
      quat: [Math.cos(Math.PI / 8), 0, 0, -Math.sin(Math.PI / 8)],
      gravcomp: 1,
    },
    solid("capsule", 0.73, { fromto: [0, -0.067, 0.033, 0, 0.067, 0.033], size: [0.033] }),
    seen("box", PAINT.white, { pos: [0, 0, 0.028], size: [0.03, 0.1, 0.026] }),
    seen("box", PAINT.dark, { pos: [0, 0, 0.058], size: [0.024, 0.095, 0.006] }),
    // A camera on the side of the hand, a common lab setup.
    seen("box", PAINT.dark, { pos: [0.05, 0, 0.02], size: [0.014, 0.045, 0.013] }),
    cameraLooking("wrist", [0.055, 0, 0.034], [0.01, 0, 0.234], 75),
    mjcf("site", {
      name: "panda_grasp_center",
      pos: [0, 0, GRASP_M],
      // x along the hand's z; y unchanged.
      quat: [1, 0, -1, 0],
      size: [0.004],
      group: 4,
    }),
    oneFinger("left", 0),
    oneFinger("right", 1),
  );
}

function oneFinger(side: "left" | "right", index: 0 | 1): MjcfElement {
  const out = index === 0 ? 1 : -1;
  const base = { pos: [0, out * 0.013, 0.013], size: [0.0105, 0.009, 0.013] };
  const bar = { pos: [0, out * 0.0115, 0.039], size: [0.009, 0.0045, 0.014] };
  const tip = { pos: [0, out * 0.0035, GRASP_M - FINGERS_M], size: [0.009, 0.0035, 0.009] };
  return finger(
    `panda_${side}_finger`,
    PANDA_GRIPPER,
    index,
    [0, FINGERS_M],
    [
      solid("box", 0.008, base),
      seen("box", PAINT.dark, base),
      solid("box", 0.007, bar),
      seen("box", PAINT.dark, bar),
      pad(`panda_fingertip_${side}`, tip),
      seen("box", PAINT.rubber, tip),
    ],
  );
}

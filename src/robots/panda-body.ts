import type { Vec3 } from "../core/math/vec3.js";
import { type MjcfElement, mjcf } from "../core/mjcf/element.js";
import { PAINT } from "./paint.js";
import { pandaHand } from "./panda-hand.js";
import { PANDA_AXES, type PandaAxis } from "./panda-servos.js";
import { dampingOf } from "./servo.js";
import { cameraLooking, seen, solid } from "./shapes.js";

/** Height of the pedestal. It raises the arm's base to table height, so that objects on a table are in reach. */
const PEDESTAL_M = 0.7;

/** A capsule in a link's frame. */
interface Bar {
  readonly from: Vec3;
  readonly to: Vec3;
  readonly radius: number;
}

function bar(from: Vec3, to: Vec3, radius: number): Bar {
  return { from, to, radius };
}

/**
 * Collision and visual shapes of each link, link 1 first; joints rotate about z. Widths approximate the arm's
 * covers: the thick joint housings and the bars between them.
 */
const LINKS: readonly { readonly solid: readonly Bar[]; readonly rings: readonly Bar[] }[] = [
  {
    solid: [bar([0, 0, -0.19], [0, 0, -0.04], 0.06)],
    rings: [bar([0, 0, -0.2], [0, 0, -0.186], 0.062)],
  },
  {
    solid: [bar([0, 0, -0.055], [0, 0, 0.055], 0.06), bar([0, -0.03, 0], [0, -0.1, 0], 0.058)],
    rings: [bar([0, -0.108, 0], [0, -0.12, 0], 0.06)],
  },
  {
    solid: [bar([0, 0, -0.13], [0, 0, -0.07], 0.058), bar([0.02, 0, -0.06], [0.0825, 0, 0], 0.05)],
    rings: [bar([0, 0, -0.2], [0, 0, -0.188], 0.055)],
  },
  {
    solid: [
      bar([0, 0, -0.055], [0, 0, 0.055], 0.058),
      bar([-0.02, 0.03, 0], [-0.0825, 0.09, 0], 0.052),
    ],
    rings: [bar([-0.0825, 0.128, 0], [-0.0825, 0.14, 0], 0.054)],
  },
  {
    solid: [
      bar([0, 0, -0.245], [0, 0, -0.235], 0.05),
      bar([0, 0.045, -0.22], [0, 0.075, -0.06], 0.028),
      bar([0, 0.03, 0], [0, 0.055, 0], 0.042),
    ],
    rings: [],
  },
  {
    solid: [bar([0, 0, -0.045], [0, 0, 0.02], 0.05), bar([0.03, 0, 0], [0.088, 0, 0], 0.044)],
    rings: [bar([0.088, 0, 0], [0.088, -0.05, 0], 0.046)],
  },
  {
    solid: [bar([0, 0, 0.03], [0, 0, 0.065], 0.043)],
    rings: [bar([0, 0, 0.085], [0, 0, 0.107], 0.036)],
  },
];

/** Links separated by two nearby joints. Their housings overlap by construction, so contacts are disabled. */
export const PANDA_NO_CONTACT: readonly (readonly [string, string])[] = [
  ["panda_link0", "panda_link1"],
  ["panda_link0", "panda_link2"],
  ["panda_link1", "panda_link3"],
  ["panda_link2", "panda_link4"],
  ["panda_link3", "panda_link5"],
  ["panda_link4", "panda_link6"],
  ["panda_link5", "panda_link7"],
  ["panda_link6", "panda_hand"],
  ["panda_left_finger", "panda_right_finger"],
];

export function pandaBody(): MjcfElement {
  return mjcf(
    "body",
    { name: "panda_pedestal" },
    solid("cylinder", 30, { pos: [-0.02, 0, PEDESTAL_M / 2], size: [0.09, PEDESTAL_M / 2] }),
    seen("cylinder", PAINT.dark, { pos: [-0.02, 0, PEDESTAL_M / 2], size: [0.09, PEDESTAL_M / 2] }),
    seen("cylinder", PAINT.dark, { pos: [-0.02, 0, 0.01], size: [0.2, 0.01] }),
    cameraLooking("head", [1.3, 0, 1.4], [0.4, 0, 0.86], 52),
    mjcf(
      "body",
      { name: "panda_link0", pos: [0, 0, PEDESTAL_M] },
      solid("box", 2.9, { pos: [-0.04, 0, 0.065], size: [0.095, 0.065, 0.065] }),
      seen("box", PAINT.white, { pos: [-0.075, 0, 0.055], size: [0.07, 0.06, 0.05] }),
      seen("box", PAINT.grey, { pos: [-0.04, 0, 0.007], size: [0.105, 0.08, 0.007] }),
      seen("cylinder", PAINT.white, { pos: [0, 0, 0.07], size: [0.07, 0.065] }),
      link(0),
    ),
  );
}

/** A link and its descendants. */
function link(index: number): MjcfElement {
  const axis = PANDA_AXES[index];
  const shape = LINKS[index];
  if (!axis || !shape) return pandaHand();
  const share = axis.massKg / shape.solid.length;
  return mjcf(
    "body",
    { name: `panda_link${index + 1}`, ...frame(axis), gravcomp: 1 },
    mjcf("joint", {
      name: axis.joint,
      type: "hinge",
      axis: [0, 0, 1],
      range: axis.limits,
      damping: dampingOf(axis.servo),
      armature: 0.1,
      // The motors carry the arm's weight, so gravity compensation counts towards their torque.
      actuatorgravcomp: true,
      actuatorfrcrange: [-axis.servo.forceLimit, axis.servo.forceLimit],
    }),
    ...shape.solid.map((part) => solid("capsule", share, along(part))),
    ...shape.solid.map((part) => seen("capsule", PAINT.white, along(part))),
    ...shape.rings.map((part) => seen("cylinder", PAINT.grey, along(part))),
    link(index + 1),
  );
}

/** Pose of a link in its parent's frame: rotated about x by alpha, a along x, d along the new z. */
function frame({ aM, alpha, dM }: PandaAxis): { pos: Vec3; quat: readonly number[] } {
  return { pos: [aM, -alpha * dM, alpha === 0 ? dM : 0], quat: [1, alpha, 0, 0] };
}

function along({ from, to, radius }: Bar) {
  return { fromto: [...from, ...to], size: [radius] };
}

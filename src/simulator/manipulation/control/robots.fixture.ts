import type { Vec3 } from "../../../core/math/vec3.js";
import { type MjcfElement, mjcf, mjcfText } from "../../../core/mjcf/element.js";
import { joinFragments, type MjcfFragment } from "../../../core/mjcf/fragment.js";
import {
  dofFrom,
  fragmentOf,
  type JointDescriptor,
  type RobotDescriptor,
  type RobotModel,
} from "../../../robots/descriptor.js";

/** Two simple robots without gravity, which reach their targets exactly. */

interface Segment {
  readonly joint: JointDescriptor;
  readonly axis: Vec3;
  /** Position relative to the previous segment. */
  readonly position: Vec3;
}

const turning = (name: string, low: number, high: number): JointDescriptor => ({
  name,
  unit: "rad",
  limits: [low, high],
});
const sliding = (name: string, low: number, high: number): JointDescriptor => ({
  name,
  unit: "m",
  limits: [low, high],
});

const X: Vec3 = [1, 0, 0];
const Y: Vec3 = [0, 1, 0];
const Z: Vec3 = [0, 0, 1];
const NOWHERE: Vec3 = [0, 0, 0];
const FINGER = sliding("finger", 0, 0.04);

/** A planar base, a lift, a telescope of four segments to the right, and a wrist yaw. */
export const MOBILE = robot(
  "mobile",
  [
    { joint: sliding("base_x", -0.5, 0.5), axis: X, position: NOWHERE },
    { joint: sliding("base_y", -0.5, 0.5), axis: Y, position: NOWHERE },
    { joint: turning("base_yaw", -3.14, 3.14), axis: Z, position: NOWHERE },
    { joint: sliding("lift", 0, 1.1), axis: Z, position: [0, 0, 0.2] },
    { joint: sliding("arm0", 0, 0.13), axis: [0, -1, 0], position: [0, -0.25, 0] },
    { joint: sliding("arm1", 0, 0.13), axis: [0, -1, 0], position: [0, -0.01, 0] },
    { joint: sliding("arm2", 0, 0.13), axis: [0, -1, 0], position: [0, -0.01, 0] },
    { joint: sliding("arm3", 0, 0.13), axis: [0, -1, 0], position: [0, -0.01, 0] },
    { joint: turning("wrist", -1.75, 4), axis: Z, position: [0.08, -0.03, 0] },
  ],
  [["base_x"], ["base_y"], ["base_yaw"], ["lift"], ["arm0", "arm1", "arm2", "arm3"], ["wrist"]],
  [0, 0, 0, 0.6, 0.1, 0, 0.04],
  // The fingers point in the direction of the telescope.
  { pos: [0, -0.23, 0], xyaxes: [0, -1, 0, 1, 0, 0] },
);

/** Seven hinge joints with two segments of 0.32 and 0.38 m. */
export const ARM = robot(
  "arm",
  [
    { joint: turning("j1", -2.9, 2.9), axis: Z, position: [0, 0, 0.33] },
    { joint: turning("j2", -1.76, 1.76), axis: Y, position: NOWHERE },
    { joint: turning("j3", -2.9, 2.9), axis: Z, position: [0, 0, 0.32] },
    { joint: turning("j4", -3.07, -0.07), axis: [0, -1, 0], position: [0.08, 0, 0] },
    { joint: turning("j5", -2.9, 2.9), axis: Z, position: [-0.08, 0, 0.38] },
    { joint: turning("j6", -0.02, 3.75), axis: [0, -1, 0], position: NOWHERE },
    { joint: turning("j7", -2.9, 2.9), axis: [0, 0, -1], position: [0.09, 0, 0] },
  ],
  [["j1"], ["j2"], ["j3"], ["j4"], ["j5"], ["j6"], ["j7"]],
  [0, 0, 0, -1.5, 0, 1.6, 0.8, 0.04],
  { pos: [0, 0, -0.2], xyaxes: [0, 0, -1, 0, 1, 0] },
);

/** The robot alone, without a floor. */
export function robotXml(descriptor: RobotDescriptor): string {
  const body = fragmentOf(descriptor);
  const fragments: readonly MjcfFragment[] = body ? [body] : [];
  return mjcfText(
    joinFragments(
      descriptor.robotType,
      [
        mjcf("compiler", { angle: "radian" }),
        mjcf("option", { timestep: 0.002, integrator: "implicitfast", gravity: [0, 0, 0] }),
      ],
      fragments,
    ),
  );
}

function robot(
  robotType: string,
  segments: readonly Segment[],
  groups: readonly (readonly string[])[],
  home: readonly number[],
  site: { readonly pos: Vec3; readonly xyaxes: readonly number[] },
): RobotDescriptor {
  const joints = [...segments.map(({ joint }) => joint), FINGER];
  const dofs = [...groups, [FINGER.name]].map((names) =>
    dofFrom(
      names.join("+"),
      joints.filter(({ name }) => names.includes(name)),
    ),
  );
  const hand = mjcf("body", { pos: site.pos }, jointElement(FINGER, [0, 1, 0]), geom());
  const body = segments.reduceRight<MjcfElement>(
    (inner, { joint, axis, position }) =>
      mjcf("body", { pos: position }, jointElement(joint, axis), geom(), inner),
    hand,
  );
  const withSite = addSite(body, mjcf("site", { name: "tip", ...site }));
  const actuators = dofs.map(({ name }) => `drive_${name}`);
  const model: RobotModel = {
    mjcf: {
      worldbody: [mjcf("body", { name: robotType }, withSite)],
      tendon: dofs.map(({ name, joints: names }) =>
        mjcf("fixed", { name }, ...names.map((joint) => mjcf("joint", { joint, coef: 1 }))),
      ),
      equality: dofs.flatMap(({ joints: [first, ...rest] }) =>
        rest.map((joint2) => mjcf("joint", { joint1: first, joint2, polycoef: [0, 1, 0, 0, 0] })),
      ),
      actuator: dofs.map(({ name }, i) =>
        mjcf("position", { name: actuators[i], tendon: name, kp: 500, kv: 60 }),
      ),
    },
    actuators,
    home,
    endEffectorSite: "tip",
    gripper: { open: 0.04, closed: 0, fingers: [[], []], openingM: 0.04 },
    cameras: { head: "", wrist: "" },
  };
  return { robotType, description: "", joints, dofs, gripperDof: dofs.length - 1, model };
}

function jointElement({ name, unit, limits }: JointDescriptor, axis: Vec3): MjcfElement {
  const type = unit === "m" ? "slide" : "hinge";
  return mjcf("joint", { name, type, axis, range: limits, damping: 1, armature: 0.1 });
}

function geom(): MjcfElement {
  return mjcf("geom", { type: "sphere", size: 0.02, mass: 0.1, contype: 0, conaffinity: 0 });
}

/** Inserts into the second innermost body: the hand, whose child is the finger. */
function addSite(body: MjcfElement, site: MjcfElement): MjcfElement {
  const inner = body.children.at(-1);
  if (inner?.children.at(-1)?.tag !== "body") {
    return mjcf("body", body.attributes, ...body.children, site);
  }
  return mjcf("body", body.attributes, ...body.children.slice(0, -1), addSite(inner, site));
}

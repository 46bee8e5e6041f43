import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { dofFrom, type JointDescriptor, type RobotDescriptor } from "../../robots/descriptor.js";

/*
 * A workshop unlike generated scenes: degrees, default classes, OBJ and STL meshes in `meshdir`, a PNG, an included
 * file, tendons, ball joints, and a robot with names of its own.
 */

/** A box around the origin as an OBJ file. */
export function boxObj(x: number, y: number, z: number): string {
  const v = [-1, 1].flatMap((i) =>
    [-1, 1].flatMap((j) => [-1, 1].map((k) => [i * x, j * y, k * z])),
  );
  const quads = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"];
  return [
    ...v.map((corner) => `v ${corner.join(" ")}`),
    ...quads.flatMap((quad) => {
      const [a, b, c, d] = quad.split(" ");
      return [`f ${a} ${b} ${c}`, `f ${a} ${c} ${d}`];
    }),
  ].join("\n");
}

/** A tetrahedron as a binary STL. */
export function tetraStl(size: number): Uint8Array {
  const corners = [
    [0, 0, 0],
    [size, 0, 0],
    [0, size, 0],
    [0, 0, size],
  ];
  const faces = [
    [0, 2, 1],
    [0, 1, 3],
    [0, 3, 2],
    [1, 2, 3],
  ];
  const bytes = new DataView(new ArrayBuffer(84 + 50 * faces.length));
  bytes.setUint32(80, faces.length, true);
  for (const [face, points] of faces.entries()) {
    for (const [i, x] of points.flatMap((point) => corners[point] ?? []).entries()) {
      bytes.setFloat32(84 + 50 * face + 12 + 4 * i, x, true);
    }
  }
  return new Uint8Array(bytes.buffer);
}

const CLASSES = `<mujocoinclude>
  <default>
    <joint damping="4"/>
    <default class="link"><geom type="capsule" size="0.03" density="300" rgba="0.9 0.6 0.1 1"/></default>
    <default class="pad"><geom type="box" size="0.02 0.008 0.04" friction="1.5 0.02 0.001" condim="4" rgba="0.2 0.2 0.2 1"/></default>
    <default class="string"><joint type="ball" damping="0.01"/><geom type="sphere" size="0.02" mass="0.02" contype="0" conaffinity="0"/></default>
  </default>
</mujocoinclude>`;

/** A crane with swivel, boom, hoist and claw, and other bodies around it. */
export const WORKSHOP = `<?xml version="1.0" encoding="utf-8"?>
<mujoco model="workshop">
  <compiler angle="degree" meshdir="../meshes" texturedir="../pictures" autolimits="true"/>
  <option timestep="0.0025" integrator="implicitfast" cone="elliptic" impratio="50"/>
  <include file="classes.xml"/>
  <asset>
    <mesh file="crate.obj"/>
    <mesh name="spike" file="spike.stl"/>
    <texture name="tiles" type="2d" file="tiles.png"/>
    <material name="tiled" texture="tiles" texrepeat="4 4"/>
  </asset>
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1"/>
    <camera name="gallery" pos="0 -1.6 1.4" xyaxes="1 0 0 0 0.6 0.8" fovy="50"/>
    <geom name="ground" type="plane" size="3 3 0.1" material="tiled"/>
    <body name="bench" pos="0.55 0 0.2"><geom type="box" size="0.25 0.5 0.2" rgba="0.5 0.4 0.3 1"/></body>
    <body name="crate" pos="0.55 -0.2 0.441">
      <freejoint/>
      <geom type="mesh" mesh="crate" mass="0.15" friction="1 0.02 0.001" condim="4" rgba="0.7 0.2 0.2 1" pos="0 0 0.01"/>
    </body>
    <body name="mast">
      <geom type="cylinder" size="0.05 0.55" pos="0 0 0.55" rgba="0.4 0.4 0.5 1"/>
      <geom type="mesh" mesh="spike" pos="0 0 1.15" contype="0" conaffinity="0" rgba="0.3 0.3 0.8 1"/>
      <body name="turret" pos="0 0 1.02" childclass="link">
        <joint name="swivel" axis="0 0 1" range="-120 120" damping="20" armature="0.3"/>
        <geom fromto="0.1 0 0 0.3 0 0" contype="0" conaffinity="0"/>
        <body name="carriage" pos="0.4 0 0">
          <joint name="boom" type="slide" axis="1 0 0" range="-0.15 0.35" damping="60" armature="0.5"/>
          <geom type="box" size="0.05 0.05 0.03" contype="0" conaffinity="0"/>
          <body name="hook" pos="0 0 -0.2">
            <joint name="hoist" type="slide" axis="0 0 -1" range="0 0.45" damping="60" armature="0.5"/>
            <geom fromto="0 0 0 0 0 0.15" contype="0" conaffinity="0"/>
            <site name="grip" pos="0 0 -0.1" euler="0 90 0"/>
            <camera name="claw" pos="0.06 0 0" xyaxes="0 -1 0 1 0 0" fovy="80"/>
            <body name="jaw_a" pos="0 0.06 -0.1"><joint name="jaw_a" type="slide" axis="0 1 0" range="-0.06 0.01" damping="20" armature="0.1"/><geom name="pad_a" class="pad"/></body>
            <body name="jaw_b" pos="0 -0.06 -0.1"><joint name="jaw_b" type="slide" axis="0 1 0" range="-0.01 0.06" damping="20" armature="0.1"/><geom name="pad_b" class="pad"/></body>
          </body>
        </body>
      </body>
    </body>
    <body name="lamp" pos="-0.4 0.3 1.6">
      <site name="peg"/>
      <body name="bob" pos="0 0 -0.2"><joint name="cord" class="string" pos="0 0 0.2"/><geom class="string"/><site name="bob"/></body>
    </body>
    <body name="fan" pos="-0.5 -0.4 0.6"><joint name="spin" axis="1 0 0" damping="0.01"/><geom type="box" size="0.01 0.2 0.03" mass="0.2" contype="0" conaffinity="0"/></body>
  </worldbody>
  <equality><joint joint1="jaw_b" joint2="jaw_a" polycoef="0 -1 0 0 0" solref="0.005 1"/></equality>
  <tendon>
    <spatial name="lampstring" limited="true" range="0 0.21"><site site="peg"/><site site="bob"/></spatial>
    <fixed name="squeeze"><joint joint="jaw_a" coef="0.5"/><joint joint="jaw_b" coef="-0.5"/></fixed>
  </tendon>
  <actuator>
    <motor name="breeze" joint="spin" gear="0.02"/>
    <position name="turn" joint="swivel" kp="200" kv="30"/>
    <position name="reach" joint="boom" kp="800" kv="120" forcerange="-300 300"/>
    <position name="winch" joint="hoist" kp="800" kv="120" forcerange="-300 300"/>
    <position name="claw" tendon="squeeze" kp="1000" kv="20" forcerange="-30 30"/>
  </actuator>
  <keyframe><key name="parked" ctrl="1 0 0 0 0"/></keyframe>
</mujoco>`;

const JOINTS: readonly JointDescriptor[] = [
  { name: "swivel", unit: "rad", limits: [-2.09, 2.09] },
  { name: "boom", unit: "m", limits: [-0.15, 0.35] },
  { name: "hoist", unit: "m", limits: [0, 0.45] },
  { name: "jaw_a", unit: "m", limits: [-0.06, 0.01] },
];

/** Its model is part of the workshop's file. */
export const CRANE: RobotDescriptor = {
  robotType: "crane",
  description: "a crane with a claw",
  joints: JOINTS,
  dofs: JOINTS.map((joint) => dofFrom(joint.name, [joint])),
  gripperDof: 3,
  model: {
    actuators: ["turn", "reach", "winch", "claw"],
    home: [0, 0, 0, 0],
    endEffectorSite: "grip",
    gripper: { open: 0, closed: -0.06, fingers: [["pad_a"], ["pad_b"]], openingM: 0.1 },
    cameras: { head: "gallery", wrist: "claw" },
  },
};

/** Writes the workshop to `scenes/workshop.xml` of a folder. */
export async function writeWorkshop(folder: string, text: string = WORKSHOP): Promise<string> {
  const shades = Uint8Array.from({ length: 8 * 8 * 3 }, (_, i) =>
    ((i / 3) & 4) === ((i / 24) & 4) ? 90 : 150,
  );
  write(folder, {
    "scenes/workshop.xml": text,
    "scenes/classes.xml": CLASSES,
    "meshes/crate.obj": boxObj(0.03, 0.03, 0.04),
    "meshes/spike.stl": tetraStl(0.1),
    "pictures/tiles.png": await sharp(shades, { raw: { width: 8, height: 8, channels: 3 } })
      .png()
      .toBuffer(),
  });
  return "scenes/workshop.xml";
}

export function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

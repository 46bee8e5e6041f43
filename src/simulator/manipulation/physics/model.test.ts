import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { tetraStl } from "../foreign.fixture.js";
import { Physics } from "./physics.js";

/** A tetrahedron with texture coordinates, 10 cm along each axis. */
const TETRAHEDRON = `
v 0 0 0
v 0.1 0 0
v 0 0.1 0
v 0 0 0.1
vt 0 0
vt 1 0
vt 0 1
vt 1 1
f 1/1 3/3 2/2
f 1/1 2/2 4/4
f 1/1 4/4 3/3
f 2/2 3/3 4/4
`;

/** Unlike the built-in robots: a mesh on a ball joint, a tendon over two hinges, degrees, defaults, an include. */
const FOREIGN = `<mujoco model="marionette">
  <compiler angle="degree" meshdir="parts" texturedir="looks"/>
  <include file="defaults.xml"/>
  <asset>
    <mesh name="tetra" file="tetra.obj"/>
    <mesh name="stl" file="tetra.stl" scale="2 2 2"/>
    <texture name="red" type="2d" file="red.png"/>
    <material name="painted" texture="red" texrepeat="3 2" texuniform="true"/>
    <hfield name="hills" nrow="2" ncol="3" size="1 2 0.5 0.1" elevation="0 1 0 1 0 1"/>
  </asset>
  <worldbody>
    <camera name="eye" pos="0 -2 1" xyaxes="1 0 0 0 0.5 1" fovy="50"/>
    <geom name="ground" type="hfield" hfield="hills" pos="0 0 -2"/>
    <body name="swing" pos="0 0 1">
      <joint name="ball" type="ball"/>
      <geom name="head" type="mesh" mesh="tetra" material="painted"/>
      <body name="upper" pos="0.2 0 0">
        <joint name="shoulder" class="bone" axis="0 1 0"/>
        <geom class="bone" fromto="0 0 0 0.3 0 0" rgba="0 0 1 1"/>
        <body name="lower" pos="0.3 0 0">
          <joint name="elbow" class="bone" axis="0 1 0"/>
          <geom class="bone" fromto="0 0 0 0.3 0 0"/>
          <geom name="foot" type="mesh" mesh="stl" pos="0.3 0 0" group="2"/>
          <site name="toe" pos="0.3 0 0"/>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon><fixed name="string"><joint joint="shoulder" coef="1"/><joint joint="elbow" coef="-0.5"/></fixed></tendon>
  <actuator><position name="pull" tendon="string" kp="20"/></actuator>
</mujoco>`;

const DEFAULTS = `<mujoco><default><default class="bone">
  <joint damping="0.5" range="-90 90"/><geom type="capsule" size="0.02" mass="0.1"/>
</default></default></mujoco>`;

async function foreign(): Promise<Physics> {
  const red = { width: 4, height: 2, channels: 3, background: { r: 200, g: 10, b: 30 } } as const;
  return Physics.create(FOREIGN, {
    files: {
      "defaults.xml": new TextEncoder().encode(DEFAULTS),
      "parts/tetra.obj": new TextEncoder().encode(TETRAHEDRON),
      "parts/tetra.stl": tetraStl(0.1),
      "looks/red.png": await sharp({ create: red }).png().toBuffer(),
    },
  });
}

describe("a user's model", () => {
  it("a user model compiles with its files, and can be driven through a tendon", async () => {
    const physics = await foreign();
    physics.setJoint("shoulder", 0.3);
    physics.forward();
    expect(physics.controlRange("pull")).toBeUndefined();
    physics.setControl("pull", 0.8);
    for (let i = 0; i < 100; i++) physics.step(25);
    expect(physics.diverged()).toBeUndefined();
    expect(Math.abs(physics.joint("shoulder"))).toBeGreaterThan(0.05);
    expect(() => physics.joint("ball")).toThrow("ball or free joint");
    expect(physics.jacobian("toe", ["elbow"])).toHaveLength(6);
    physics.dispose();
  });

  it("a user model has access to the given files only, not to those of an earlier model", async () => {
    (await foreign()).dispose();
    await expect(Physics.create(FOREIGN)).rejects.toThrow("defaults.xml");
    await expect(
      Physics.create('<mujoco><include file="/etc/hostname"/></mujoco>'),
    ).rejects.toThrow("/etc/hostname");
  });

  it("a user model has geoms with type, size, colour and texture for drawing", async () => {
    const physics = await foreign();
    const [ground, head, bone, otherBone, foot] = physics.geoms();
    expect(head).toMatchObject({
      name: "head",
      bodyName: "swing",
      type: "mesh",
      rgba: [1, 1, 1, 1],
      group: 0,
      textureRepeat: [3, 2],
      textureUniform: true,
      texture: { width: 4, height: 2 },
    });
    expect(head?.texture?.data.subarray(0, 4)).toEqual(Uint8Array.of(200, 10, 30, 255));
    expect(bone).toMatchObject({
      name: "",
      bodyName: "upper",
      type: "capsule",
      rgba: [0, 0, 1, 1],
    });
    expect(bone?.size[0]).toBeCloseTo(0.02, 6);
    expect(bone?.size[1]).toBeCloseTo(0.15, 6);
    expect(otherBone?.rgba).toEqual([0.5, 0.5, 0.5, 1]);
    expect(foot?.group).toBe(2);
    expect(ground).toMatchObject({ type: "hfield" });
    expect(ground?.mesh?.positions).toHaveLength(3 * 6);
    expect(ground?.mesh?.indices).toHaveLength(3 * 4);
    physics.dispose();
  });

  it("a user model has meshes at the positions of their files, with counter-clockwise triangles", async () => {
    const physics = await foreign();
    const index = physics.geoms().findIndex(({ name }) => name === "head");
    const { mesh } = physics.geoms()[index] ?? {};
    const { position, rotation_wxyz } = physics.geomPose(index);
    const world = (at: number) => {
      const local = [0, 1, 2].map((k) => mesh?.positions[3 * at + k] ?? Number.NaN);
      return turned(rotation_wxyz, local).map((x, k) => x + (position[k] ?? 0));
    };
    const corners = Array.from(mesh?.indices ?? [], (at) => world(at));
    expect(corners).toHaveLength(12);
    const expected = [
      [0, 0, 1],
      [0.1, 0, 1],
      [0, 0.1, 1],
      [0, 0, 1.1],
    ];
    for (const corner of corners) {
      const nearest = Math.min(
        ...expected.map((e) => Math.hypot(...e.map((x, k) => x - (corner[k] ?? 0)))),
      );
      expect(nearest).toBeLessThan(1e-6);
    }
    let volume = 0;
    for (let i = 0; i < corners.length; i += 3) {
      volume += signedVolume(corners[i], corners[i + 1], corners[i + 2]);
    }
    expect(volume).toBeCloseTo(0.1 ** 3 / 6, 7);
    // Vertices keep their texture coordinates; (0, 0) is the lower left corner in OBJ files.
    expect(mesh?.uvs).toHaveLength(((mesh?.positions.length ?? 0) / 3) * 2);
    physics.dispose();
  });

  it("a user model has cameras that look along their -z axis", async () => {
    const physics = await foreign();
    const { pose, fovyDeg } = physics.camera("eye");
    expect(fovyDeg).toBe(50);
    expect(pose.position).toEqual([0, -2, 1]);
    const ahead = turned(pose.rotation_wxyz, [0, 0, -1]);
    expect(ahead[1]).toBeGreaterThan(0.8);
    expect(ahead[2]).toBeLessThan(-0.4);
    physics.dispose();
  });

  it("a user model has the mean colour of a cube map, for which shapes have no coordinates", async () => {
    const xml = `<mujoco><asset>
      <texture name="wood" type="cube" builtin="flat" rgb1="1 0.5 0" rgb2="1 0.5 0" width="8" height="8"/>
      <material name="wooden" texture="wood" rgba="0.5 1 1 1"/></asset>
      <worldbody><geom name="crate" type="box" size="1 1 1" material="wooden"/></worldbody></mujoco>`;
    const physics = await Physics.create(xml, { where: "crate.xml" });
    const [crate] = physics.geoms();
    physics.dispose();
    expect(crate?.texture).toBeUndefined();
    expect(crate?.rgba.map((x) => Math.round(100 * x))).toEqual([50, 50, 0, 100]);
  });
});

function turned(q: readonly number[], v: readonly number[]): number[] {
  const [w = 1, x = 0, y = 0, z = 0] = q;
  const [a = 0, b = 0, c = 0] = v;
  return [
    (1 - 2 * (y * y + z * z)) * a + 2 * (x * y - w * z) * b + 2 * (x * z + w * y) * c,
    2 * (x * y + w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - w * x) * c,
    2 * (x * z - w * y) * a + 2 * (y * z + w * x) * b + (1 - 2 * (x * x + y * y)) * c,
  ];
}

function signedVolume(
  a: readonly number[] = [],
  b: readonly number[] = [],
  c: readonly number[] = [],
) {
  const [[ax = 0, ay = 0, az = 0], [bx = 0, by = 0, bz = 0], [cx = 0, cy = 0, cz = 0]] = [a, b, c];
  return (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
}

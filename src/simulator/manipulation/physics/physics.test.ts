import { afterEach, describe, expect, it } from "vitest";
import { loadMujoco } from "./mujoco.js";
import { Physics, type PhysicsOptions } from "./physics.js";
import { boxBody, FLOOR, options, pile } from "./scenes.fixture.js";

const GRAVITY = 9.81;
const made: Physics[] = [];

async function create(xml: string, settings?: PhysicsOptions): Promise<Physics> {
  const physics = await Physics.create(xml, settings);
  made.push(physics);
  return physics;
}

afterEach(() => {
  for (const physics of made.splice(0)) physics.dispose();
});

describe("physics", () => {
  it("physics conserves the energy of a double pendulum, computed from its poses and velocities", async () => {
    const arm = (name: string, inside = "") => `<body name="${name}" pos="0 0 -0.5">
      <joint name="${name}_joint" type="hinge" axis="0 1 0" pos="0 0 0.5"/>
      <geom type="sphere" size="0.05" mass="1"/>${inside}</body>`;
    const physics = await create(
      `<mujoco><option timestep="0.002" integrator="RK4"/><worldbody>${arm("a", arm("b"))}</worldbody></mujoco>`,
    );
    physics.setJoint("a_joint", 2);
    physics.setJoint("b_joint", -1);
    physics.forward();
    const energy = () =>
      ["a", "b"].reduce((sum, name) => {
        const { linear, angular } = physics.bodyVelocity(name);
        const inertia = 0.4 * 0.05 ** 2;
        const moving = 0.5 * squared(linear) + 0.5 * inertia * squared(angular);
        return sum + moving + GRAVITY * physics.body(name).position[2];
      }, 0);
    const start = energy();
    for (let i = 0; i < 100; i++) {
      physics.step(25);
      expect(energy()).toBeCloseTo(start, 4);
    }
    expect(physics.timeS()).toBeCloseTo(5, 9);
    expect(Math.abs(physics.jointVelocity("a_joint"))).toBeGreaterThan(0);
    const both = ["a_joint", "b_joint"];
    const sum = (read: (joint: string) => number) => both.reduce((x, joint) => x + read(joint), 0);
    expect(physics.jointSum(both)).toBe(sum((joint) => physics.joint(joint)));
    expect(physics.jointVelocitySum(both)).toBe(sum((joint) => physics.jointVelocity(joint)));
  });

  it("physics does not report contacts of geoms that are to be ignored", async () => {
    const lying = `<mujoco>${options()}<worldbody>${FLOOR}<body name="box" pos="0 0 0.05">
      <freejoint/><geom name="shell" type="box" size="0.05 0.05 0.05"/></body></worldbody></mujoco>`;
    const checked = await create(lying);
    const ignored = await create(lying, { uncheckedGeoms: ["shell"] });
    for (const physics of [checked, ignored]) physics.step(100);
    expect(checked.touching("box", "world")).toBe(true);
    expect(ignored.touching("box", "world")).toBe(false);
    expect(ignored.body("box")).toEqual(checked.body("box"));
  });

  it("physics lets a box fall freely, land, and press on the floor with its weight", async () => {
    const physics = await create(
      `<mujoco>${options()}<worldbody>${FLOOR}${boxBody("box", "0 0 1.05", 2)}</worldbody></mujoco>`,
    );
    physics.step(100);
    const { linear, angular } = physics.bodyVelocity("box");
    expect(linear[2]).toBeCloseTo(-GRAVITY * 0.2, 6);
    expect(squared(angular)).toBeCloseTo(0, 12);
    expect(physics.body("box").position[2]).toBeCloseTo(1.05 - 0.5 * GRAVITY * 0.2 ** 2, 2);
    expect(physics.touching("box", "world")).toBe(false);
    physics.step(900);
    expect(physics.body("box").position[2]).toBeCloseTo(0.05, 3);
    expect(physics.touching("world", "box")).toBe(true);
    expect(physics.pressure(["floor"], "box")).toBeCloseTo(2 * GRAVITY, 3);
    expect(Math.sqrt(squared(physics.bodyVelocity("box").linear))).toBeLessThan(1e-4);
  });

  it.each([10, 20, 25])(
    "physics holds a box by friction on a slope of %d degrees",
    async (degrees) => {
      const physics = await create(slope(degrees));
      const start = physics.body("box").position;
      physics.step(1000);
      expect(away(start, physics.body("box").position)).toBeLessThan(1e-3);
    },
  );

  it.each([28, 35, 45])(
    "physics lets a box slide on %d degrees with the acceleration of Coulomb friction",
    async (degrees) => {
      const physics = await create(slope(degrees));
      physics.step(250);
      const start = physics.body("box").position;
      const speed = Math.sqrt(squared(physics.bodyVelocity("box").linear));
      const angle = (degrees * Math.PI) / 180;
      const acceleration = GRAVITY * (Math.sin(angle) - 0.5 * Math.cos(angle));
      physics.step(250);
      const way = 0.5 * speed + 0.5 * acceleration * 0.5 ** 2;
      const ratio = away(start, physics.body("box").position) / way;
      expect(ratio).toBeGreaterThan(0.98);
      expect(ratio).toBeLessThan(1.02);
    },
  );

  it("physics drives joints with actuators and reports their limits", async () => {
    const physics = await create(`<mujoco><worldbody><body>
        <joint name="turn" type="hinge" axis="0 0 1" damping="1"/><geom size="0.1"/></body></worldbody>
      <actuator><position name="limited" joint="turn" kp="50" ctrlrange="-1 2"/>
        <motor name="free" joint="turn"/></actuator></mujoco>`);
    expect(physics.controlRange("limited")).toEqual([-1, 2]);
    expect(physics.controlRange("free")).toBeUndefined();
    physics.setControl("limited", 0.7);
    expect(physics.control("limited")).toBe(0.7);
    physics.step(1000);
    expect(physics.joint("turn")).toBeCloseTo(0.7, 3);
    expect(physics.jointAxis("turn")).toEqual({ axis: [0, 0, 1], anchor: [0, 0, 0] });
  });

  it("physics computes the Jacobian of a site", async () => {
    const physics = await create(`<mujoco><worldbody><body>
      <joint name="turn" type="hinge" axis="0 0 1"/><geom size="0.1"/>
      <body pos="1 0 0"><joint name="out" type="slide" axis="1 0 0"/><geom size="0.1"/>
        <site name="tip" pos="0.5 0 0"/></body></body></worldbody></mujoco>`);
    physics.setJoint("out", 0.5);
    const rows = Array.from(physics.jacobian("tip", ["out", "turn"]));
    // Rows x, y, z, rx, ry, rz; the site is 2 m from the axis.
    expect(rows).toEqual([1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(physics.site("tip").position).toEqual([2, 0, 0]);
  });

  it("physics reads the Jacobian and the inertia of an arm with the bits of the functions of MuJoCo", async () => {
    const xml = `<mujoco><worldbody><body>
      <joint name="turn" axis="0.3 1 0.2"/><geom size="0.1"/>
      <body pos="1 0.2 0"><joint name="out" type="slide" axis="1 0 0.4"/><geom size="0.1"/>
        <body pos="0 0 0.3"><geom size="0.1"/><joint name="bend" axis="1 1 0"/><site name="tip" pos="0.5 0.1 0"/></body>
        <body pos="0 1 0"><joint name="branch"/><geom size="0.2"/></body></body></body>
      <body pos="3 0 0"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>`;
    const joints = ["bend", "branch", "turn", "out"];
    const physics = await create(xml);
    const mujoco = await loadMujoco();
    const model = mujoco.MjModel.from_xml_string(xml);
    const data = new mujoco.MjData(model);
    const [moves, turns] = [0, 0].map(() => new mujoco.DoubleBuffer(3 * model.nv));
    const full = new mujoco.DoubleBuffer(model.nv ** 2);
    for (const time of [0, 1, 2]) {
      const angles = joints.map((_, i) => Math.sin(time + i));
      physics.reset();
      for (const [i, joint] of joints.entries()) physics.setJoint(joint, angles[i] ?? 0);
      physics.forward();
      const order = ["turn", "out", "bend", "branch"];
      data.qpos.set(order.map((joint) => angles[joints.indexOf(joint)] ?? 0));
      mujoco.mj_forward(model, data);
      mujoco.mj_jacSite(model, data, moves, turns, 0);
      mujoco.mj_fullM(model, data, full);
      const dofs = joints.map((joint) => order.indexOf(joint));
      const rows = [moves, turns].flatMap((buffer) =>
        [0, 1, 2].flatMap((row) => dofs.map((dof) => buffer?.GetView()[row * model.nv + dof])),
      );
      expect(Array.from(physics.jacobian("tip", joints))).toEqual(rows);
      expect(Array.from(physics.inertia(joints))).toEqual(
        dofs.flatMap((row) => dofs.map((dof) => full.GetView()[row * model.nv + dof])),
      );
    }
    for (const used of [moves, turns, full, data, model]) used?.delete();
  });

  it("physics places bodies and joints before the first step only", async () => {
    const physics = await create(pile());
    const pose = { position: [0.5, -1, 2], rotation_wxyz: [0, 1, 0, 0] } as const;
    physics.setFreePose("box3", pose);
    expect(physics.body("box3")).toEqual(pose);
    physics.step(1);
    expect(() => physics.setFreePose("box3", pose)).toThrow(
      'body "box3" cannot be set once the physics runs',
    );
    physics.reset();
    expect(physics.timeS()).toBe(0);
    physics.setFreePose("box3", pose);
    expect(() => physics.setFreePose("world", pose)).toThrow("has no free joint");
  });

  it("physics suggests existing names for an unknown one", async () => {
    const physics = await create(pile(), { where: "episode 7" });
    expect(physics.has("body", "box1")).toBe(true);
    expect(physics.has("body", "bax1")).toBe(false);
    expect(() => physics.body("bax1")).toThrow(
      expect.objectContaining({
        code: "unknown_element",
        where: "episode 7",
        hint: expect.stringContaining('did you mean "box1"?'),
      }),
    );
    expect(physics.names("actuator")).toEqual([]);
  });

  it("physics throws after it was disposed of", async () => {
    const physics = await create(pile());
    physics.dispose();
    physics.dispose();
    expect(() => physics.step(1)).toThrow("disposed");
  });
});

function slope(degrees: number): string {
  const half = 0.05;
  const angle = (degrees * Math.PI) / 180;
  const [x, z] = [half * Math.sin(angle), half * Math.cos(angle)];
  return `<mujoco><compiler angle="degree"/>${options()}<worldbody>
    <geom name="slope" type="plane" size="20 20 0.1" euler="0 ${degrees} 0" friction="0.5 0.005 0.0001"/>
    <body name="box" pos="${x} 0 ${z}" euler="0 ${degrees} 0"><freejoint/>
      <geom type="box" size="0.1 0.1 ${half}" mass="1" friction="0.5 0.005 0.0001"/></body>
  </worldbody></mujoco>`;
}

function squared(v: readonly number[]): number {
  return v.reduce((sum, x) => sum + x * x, 0);
}

function away(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((x, i) => x - (b[i] as number)));
}

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../core/math/random.js";
import { distance3 } from "../core/math/vec3.js";
import { BUILT_IN_ROBOTS } from "./catalog.js";
import { RobotLab } from "./robot-lab.fixture.js";

/** Poses from which every degree of freedom reaches both limits without self-collision. */
const COLLISION_FREE: Readonly<Record<string, readonly number[]>> = {
  stretch_mobile: [0.6, 0.1, 0, 0, 0.04, 0, 0],
  panda: [0, -0.3, 0, -1.2, 0, 1.9, 0.8, 0.04],
};

describe.each(BUILT_IN_ROBOTS)("$robotType in MuJoCo", (robot) => {
  let lab: RobotLab;
  beforeAll(async () => {
    lab = await RobotLab.of(robot);
  });
  afterAll(() => lab.close());

  const roomy = () => [...(COLLISION_FREE[robot.robotType] ?? lab.body.home)];

  /** Starts with one degree of freedom at `from` and commands it to `to`. */
  function drive(dof: number, from: number, to: number, seconds: number, each?: () => void) {
    const start = roomy();
    start[dof] = from;
    lab.place(start);
    lab.command(start.map((value, i) => (i === dof ? to : value)));
    lab.run(seconds, each);
  }

  it("a robot in MuJoCo has the joints of the descriptor with their limits and units", () => {
    const { model, mujoco } = lab;
    for (const { name, limits, unit } of robot.joints) {
      const id = lab.id("JOINT", name);
      expect([...model.jnt_range.slice(2 * id, 2 * id + 2)], name).toEqual([...limits]);
      const type = unit === "m" ? mujoco.mjtJoint.mjJNT_SLIDE : mujoco.mjtJoint.mjJNT_HINGE;
      expect(model.jnt_type[id], name).toBe(type.value);
    }
  });

  it("a robot in MuJoCo has one actuator per degree of freedom, in order, with the same range", () => {
    const { model } = lab;
    expect(model.nu).toBe(robot.dofs.length + (lab.body.base?.actuators.length ?? 0));
    robot.dofs.forEach(({ limits }, i) => {
      const id = lab.id("ACTUATOR", lab.body.actuators[i] ?? "");
      expect(id).toBe(i);
      expect(model.actuator_ctrlrange[2 * id]).toBeCloseTo(limits[0], 12);
      expect(model.actuator_ctrlrange[2 * id + 1]).toBeCloseTo(limits[1], 12);
    });
  });

  it("a robot in MuJoCo has the sites, geoms and cameras that the descriptor names", () => {
    const { endEffectorSite, gripper, cameras } = lab.body;
    lab.id("SITE", endEffectorSite);
    for (const geom of gripper.fingers.flat()) lab.id("GEOM", geom);
    for (const camera of Object.values(cameras ?? {})) lab.id("CAMERA", camera ?? "");
  });

  it("a robot in MuJoCo is at rest at home, without contacts and with an open gripper", () => {
    lab.place(lab.body.home);
    expect(lab.contacts()).toEqual([]);
    const { position } = lab.endEffector();
    lab.run(1);
    expect(distance3(lab.endEffector().position, position)).toBeLessThan(1e-6);
    expect(Math.max(...lab.data.qvel.map(Math.abs))).toBeLessThan(1e-6);
    expect(lab.body.home[robot.gripperDof]).toBe(lab.body.gripper.open);
  });

  it("a robot in MuJoCo does not sag under gravity in any pose", () => {
    const random = new Random(4);
    for (let i = 0; i < 10; i++) {
      lab.place(robot.dofs.map(({ limits: [a, b] }) => a + random.uniform() * (b - a)));
      if (lab.contacts().length > 0) continue;
      const { position } = lab.endEffector();
      lab.run(0.2);
      expect(distance3(lab.endEffector().position, position)).toBeLessThan(0.0005);
    }
  });

  it.each(robot.dofs)(
    "a robot in MuJoCo moves $name to both ends of its range",
    ({ name, limits: [low, high] }) => {
      const dof = robot.dofs.findIndex((candidate) => candidate.name === name);
      const span = high - low;
      const near = 0.1 * span;
      for (const [from, to] of [
        [low + near, low],
        [high - near, high],
      ] as const) {
        drive(dof, from, to, 1.5);
        expect(Math.abs((lab.dofs()[dof] ?? Number.NaN) - to)).toBeLessThan(0.01 * span);
      }
    },
  );

  it.each(robot.dofs)("a robot in MuJoCo settles $name within 0.5 s without overshoot", (of) => {
    const dof = robot.dofs.indexOf(of);
    const slides = robot.joints.find(({ name }) => name === of.joints[0])?.unit === "m";
    const step = dof === robot.gripperDof ? 0.01 : slides ? 0.04 : 0.15;
    const from = (of.limits[0] + of.limits[1]) / 2;
    for (const sign of [1, -1]) {
      const gone: number[] = [];
      drive(dof, from, from + sign * step, 0.7, () =>
        gone.push((sign * ((lab.dofs()[dof] ?? Number.NaN) - from)) / step),
      );
      expect(Math.max(...gone)).toBeLessThan(1.05);
      // Within 2 % of the step from 0.5 s on.
      for (const share of gone.slice(250)) expect(Math.abs(share - 1)).toBeLessThan(0.02);
    }
  });

  it("a robot in MuJoCo has no self-collision in most poses within its joint limits", () => {
    const random = new Random(11);
    let clear = 0;
    for (let i = 0; i < 400; i++) {
      lab.place(robot.dofs.map(({ limits: [a, b] }) => a + random.uniform() * (b - a)));
      if (lab.contacts().length === 0) clear++;
    }
    // A wrist that tilts also reaches its own arm and the base.
    expect(clear / 400).toBeGreaterThanOrEqual(lab.body.base ? 0.85 : 0.95);
  });
});

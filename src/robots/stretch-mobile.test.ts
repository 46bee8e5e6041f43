import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RobotLab } from "./robot-lab.fixture.js";
import { STRETCH } from "./stretch.js";
import { STRETCH_MOBILE } from "./stretch-mobile.js";

const { home } = STRETCH_MOBILE.model;

describe("the Stretch that drives", () => {
  let lab: RobotLab;
  beforeAll(async () => {
    lab = await RobotLab.of(STRETCH_MOBILE);
  });
  afterAll(() => lab.close());

  it("the Stretch that drives has the mass of the real robot, with the motor and camera of the pitch joint left out", () => {
    const mass = lab.model.body_mass.reduce((sum: number, kg: number) => sum + kg, 0);
    expect(mass).toBeGreaterThan(24.5);
    expect(mass).toBeLessThan(25.1);
  });

  it("the Stretch that drives has no contacts when it is folded for driving, and fits a circle of 0.3 m", () => {
    lab.place(home);
    expect(lab.contacts()).toEqual([]);
    const [x, y] = lab.endEffector().position;
    expect(Math.hypot(x, y)).toBeLessThan(0.2);
  });

  it("the Stretch that drives reaches where Stretch reaches when its wrist is level", async () => {
    const other = await RobotLab.of(STRETCH);
    other.place([0, 0, 0, 0.7, 0.3, 0.4, 0.04]);
    lab.place([0.7, 0.3, 0.4, 0, 0.04, 0, 0]);
    const [here, there] = [lab.endEffector(), other.endEffector()];
    other.close();
    for (const i of [0, 1, 2] as const) {
      expect(here.position[i]).toBeCloseTo(there.position[i], 9);
      expect(here.axes[0][i]).toBeCloseTo(there.axes[0][i], 9);
    }
  });

  it("the Stretch that drives points its fingers down at negative and up at positive wrist pitch", () => {
    lab.place([0.7, 0.3, 0, -1, 0.04, 0, 0]);
    expect(lab.endEffector().axes[0][2]).toBeCloseTo(-Math.sin(1), 6);
    lab.place([0.7, 0.3, 0, 0.5, 0.04, 0, 0]);
    expect(lab.endEffector().axes[0][2]).toBeCloseTo(Math.sin(0.5), 6);
  });

  it("the Stretch that drives looks ahead at pan 0, to the left at positive pan, and down at negative tilt", () => {
    const ahead = (pan: number, tilt: number) => {
      lab.place([0.7, 0.1, 0, 0, 0.04, pan, tilt]);
      const id = lab.id("CAMERA", "head");
      return [2, 5, 8].map((k) => -lab.data.cam_xmat[9 * id + k]);
    };
    expect(ahead(0, 0)[0]).toBeCloseTo(1, 6);
    expect(ahead(1, 0)[1]).toBeCloseTo(Math.sin(1), 6);
    expect(ahead(0, -0.6)[2]).toBeCloseTo(-Math.sin(0.6), 6);
    const id = lab.id("CAMERA", "head");
    expect(lab.data.cam_xpos[3 * id + 2]).toBeCloseTo(1.32, 1);
  });

  it.each([
    ["lift", 0, 0.17, 0.9],
    ["arm", 1, 0.4, 0.5],
    ["wrist_pitch", 3, 2, -1.5],
    ["head_pan", 5, 3, -3.5],
    ["head_tilt", 6, 3, -1.5],
  ])(
    "the Stretch that drives moves its %s no faster than the real robot",
    (_, dof, limit, target) => {
      const start = [0.3, 0, 0, 0.5, 0.04, 1.5, 0.7];
      lab.place(start);
      lab.command(start.map((value, i) => (i === dof ? target : value)));
      let before = start[dof] ?? 0;
      let fastest = 0;
      lab.run(0.8, () => {
        const now = lab.dofs()[dof] ?? 0;
        fastest = Math.max(fastest, Math.abs(now - before) / 0.002);
        before = now;
      });
      expect(fastest).toBeLessThan(limit * 1.02);
      expect(fastest).toBeGreaterThan(limit * 0.85);
    },
  );

  it("the Stretch that drives reaches the limits of every degree of freedom", () => {
    for (const side of [0, 1] as const) {
      for (const [i, { limits }] of STRETCH_MOBILE.dofs.entries()) {
        const pose = [0.7, 0.2, 0, 0, 0.04, 0, 0];
        lab.place(pose);
        lab.command(pose.map((value, dof) => (dof === i ? limits[side] : value)));
        lab.run(5);
        expect(lab.dofs()[i]).toBeCloseTo(limits[side], 1.5);
      }
    }
  });
});

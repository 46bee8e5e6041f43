import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../core/math/random.js";
import { RobotLab } from "./robot-lab.fixture.js";
import { STRETCH } from "./stretch.js";

describe("the Stretch body", () => {
  let lab: RobotLab;
  beforeAll(async () => {
    lab = await RobotLab.of(STRETCH);
  });
  afterAll(() => lab.close());

  it("the Stretch body has the mass of the real robot", () => {
    const mass = lab.model.body_mass.reduce((sum: number, kg: number) => sum + kg, 0);
    expect(mass).toBeCloseTo(24.8, 2);
  });

  // The URDF's offsets along the chain in base axes: mast, lift, arm tube, four segments, wrist.
  const WRIST_X = -0.067 - 0.037385 + 0.083;
  const WRIST_Y = 0.135 - 0.2547 - 3 * 0.013 + 0.01375;
  const GRASP_Z = 0.0284 + 0.1666 - 0.03075 - 0.04679;

  it("the Stretch body places the hand according to the published kinematics", () => {
    const random = new Random(2);
    for (let i = 0; i < 20; i++) {
      const q = STRETCH.dofs.map(({ limits: [a, b] }) => a + random.uniform() * (b - a));
      const [x = 0, y = 0, theta = 0, lift = 0, arm = 0, yaw = 0] = q;
      lab.place(q);
      const reach = WRIST_Y - arm;
      const heading = theta + yaw - Math.PI / 2;
      const { position, axes } = lab.endEffector();
      const expected = [
        x + Math.cos(theta) * WRIST_X - Math.sin(theta) * reach + 0.23 * Math.cos(heading),
        y + Math.sin(theta) * WRIST_X + Math.cos(theta) * reach + 0.23 * Math.sin(heading),
        GRASP_Z + lift,
      ];
      expected.forEach((value, k) => {
        expect(position[k]).toBeCloseTo(value, 9);
      });
      expect(axes[0][0]).toBeCloseTo(Math.cos(heading), 9);
      expect(axes[0][1]).toBeCloseTo(Math.sin(heading), 9);
      expect(axes[2][2]).toBeCloseTo(1, 9);
    }
  });

  it("the Stretch body extends its arm to the right at home, with level fingers that open along the x axis of the base", () => {
    lab.place(lab.body.home);
    const [along, opening, up] = lab.endEffector().axes;
    expect(along[1]).toBeCloseTo(-1, 9);
    expect(opening[0]).toBeCloseTo(1, 9);
    expect(up[2]).toBeCloseTo(1, 9);
  });

  it("the Stretch body extends its four segments equally, also during motion", () => {
    lab.place(lab.body.home);
    lab.command(lab.body.home.map((value, i) => (i === 4 ? 0.52 : value)));
    let widest = 0;
    lab.run(2, () => {
      const segments = [0, 1, 2, 3].map((i) => lab.joint(`joint_arm_l${i}`));
      widest = Math.max(widest, Math.max(...segments) - Math.min(...segments));
    });
    expect(widest).toBeLessThan(0.0005);
    expect(lab.joint("joint_arm_l3")).toBeCloseTo(0.13, 4);
  });

  it.each([
    ["base_x", 0, 0.3],
    ["lift", 3, 0.17],
    ["arm", 4, 0.4],
  ])("the Stretch body moves its %s no faster than the real robot", (_, dof, limit) => {
    const start = [...lab.body.home];
    start[dof] = STRETCH.dofs[dof]?.limits[0] ?? 0;
    lab.place(start);
    lab.command(start.map((value, i) => (i === dof ? 0.5 : value)));
    let before = start[dof] ?? 0;
    let fastest = 0;
    lab.run(1, () => {
      const now = lab.dofs()[dof] ?? 0;
      fastest = Math.max(fastest, (now - before) / 0.002);
      before = now;
    });
    expect(fastest).toBeLessThan(limit * 1.02);
    expect(fastest).toBeGreaterThan(limit * 0.9);
  });

  it("the Stretch body has a head camera at 1.33 m that looks to the right, at the workspace of the arm", () => {
    lab.place(lab.body.home);
    const id = lab.id("CAMERA", lab.body.cameras?.head ?? "");
    expect(lab.data.cam_xpos[3 * id + 2]).toBeCloseTo(1.33, 6);
    // MuJoCo cameras look along -z.
    const ahead = [2, 5, 8].map((k) => -lab.data.cam_xmat[9 * id + k]);
    expect(ahead[1]).toBeLessThan(-0.7);
    expect(ahead[2]).toBeLessThan(-0.4);
  });

  it("the Stretch body has no contacts with all joints at 0, where episodes may start", () => {
    lab.place(STRETCH.dofs.map(() => 0));
    expect(lab.contacts()).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../core/math/random.js";
import { PANDA } from "./panda.js";
import { RobotLab } from "./robot-lab.fixture.js";

type Matrix = readonly (readonly number[])[];

/** Franka's Denavit-Hartenberg parameters in Craig's convention: a, d, alpha; the flange is last. */
const TABLE = [
  [0, 0.333, 0],
  [0, 0, -Math.PI / 2],
  [0, 0.316, Math.PI / 2],
  [0.0825, 0, Math.PI / 2],
  [-0.0825, 0.384, -Math.PI / 2],
  [0, 0, Math.PI / 2],
  [0.088, 0, Math.PI / 2],
  [0, 0.107, 0],
] as const;

function flange(q: readonly number[]): Matrix {
  return TABLE.reduce<Matrix>(
    (chain, [a, d, alpha], i) => {
      const [c, s] = [Math.cos(q[i] ?? 0), Math.sin(q[i] ?? 0)];
      const [ca, sa] = [Math.cos(alpha), Math.sin(alpha)];
      return times(chain, [
        [c, -s, 0, a],
        [s * ca, c * ca, -sa, -d * sa],
        [s * sa, c * sa, ca, d * ca],
        [0, 0, 0, 1],
      ]);
    },
    [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ],
  );
}

function times(a: Matrix, b: Matrix): Matrix {
  return a.map((row) =>
    [0, 1, 2, 3].map((j) => row.reduce((sum, x, k) => sum + x * (b[k]?.[j] ?? 0), 0)),
  );
}

describe("the Panda", () => {
  let lab: RobotLab;
  beforeAll(async () => {
    lab = await RobotLab.of(PANDA);
  });
  afterAll(() => lab.close());

  it("the Panda has eight degrees of freedom: seven axes and the gripper", () => {
    expect(PANDA.dofs.map(({ name }) => name)).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7].map((i) => `joint${i}`),
      "gripper",
    ]);
    expect(PANDA.gripperDof).toBe(7);
  });

  it("the Panda places the hand according to the Denavit-Hartenberg formula", () => {
    const random = new Random(7);
    for (let i = 0; i < 20; i++) {
      const q = PANDA.dofs.map(({ limits: [a, b] }) => a + random.uniform() * (b - a));
      lab.place(q);
      const base = lab.bodyPosition("panda_link0");
      const expected = flange(q.slice(0, 7));
      const hand = lab.bodyPosition("panda_hand");
      const { position, axes } = lab.endEffector();
      for (const k of [0, 1, 2] as const) {
        const along = expected[k]?.[2] ?? 0;
        const from = expected[k]?.[3] ?? 0;
        expect(Math.abs(hand[k] - base[k] - from)).toBeLessThan(1e-6);
        // The grasp point is 0.1034 m along the flange's z axis.
        expect(Math.abs(position[k] - base[k] - from - 0.1034 * along)).toBeLessThan(1e-6);
        expect(Math.abs(axes[0][k] - along)).toBeLessThan(1e-6);
      }
    }
  });

  it("the Panda points its fingers straight down at home, opening sideways", () => {
    lab.place(lab.body.home);
    const { position, axes } = lab.endEffector();
    expect(axes[0][2]).toBeCloseTo(-1, 9);
    expect(Math.abs(axes[1][1])).toBeCloseTo(1, 9);
    // Published for this pose: the flange is 0.307 m in front of the base.
    expect(position[0]).toBeCloseTo(0.307, 3);
  });

  it("the Panda lifts its payload of 3 kg at full reach, but not 10 kg", () => {
    const sag = (massKg: number) => {
      const pose = [0, 0.6, 0, -1.2, 0, 1.8, 0.785, 0.04];
      lab.place(pose);
      const before = lab.endEffector().position[2];
      lab.data.xfrc_applied[6 * lab.id("BODY", "panda_hand") + 2] = -9.81 * massKg;
      lab.run(1);
      return before - lab.endEffector().position[2];
    };
    expect(sag(3)).toBeLessThan(0.01);
    expect(sag(10)).toBeGreaterThan(0.05);
  });
});

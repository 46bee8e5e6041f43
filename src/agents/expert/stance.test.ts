import { describe, expect, it } from "vitest";
import type { GripperView, Pose3 } from "../../core/interfaces/manipulation-view.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { Driver } from "./driver.js";
import { level } from "./pose.js";
import { takeStance } from "./stance.js";

const NAMES = ["base_x", "base_y", "base_theta", "lift", "gripper"];
const ARM_M = 0.4;
type BasePose = readonly [x: number, y: number, theta: number];

/** A mobile base whose arm points to its right and reaches commands at once. */
class FakeBase {
  joints: readonly number[] = [0, 0, 0, 0.2, 0];
  readonly driver: Driver;

  constructor(basePose: BasePose | undefined, frame: BasePose = basePose ?? [0, 0, 0]) {
    const [fx, fy, ft] = frame;
    const hand = (): Pose3 => {
      const [x = 0, y = 0, theta = 0, z = 0] = this.joints;
      const [c, s] = [Math.cos(ft), Math.sin(ft)];
      const yaw = ft + theta - Math.PI / 2;
      return {
        position: [
          fx + c * x - s * y + ARM_M * Math.cos(yaw),
          fy + s * x + c * y + ARM_M * Math.sin(yaw),
          z,
        ],
        rotation_wxyz: level(yaw),
      };
    };
    const view: GripperView = {
      joints: () => this.joints,
      limits: [
        [-0.5, 0.5],
        [-0.5, 0.5],
        [-3.14, 3.14],
        [0, 1.1],
        [0, 0.04],
      ],
      gripperDof: 4,
      gripper: { open: 0.04, closed: 0, openingM: 0.08 },
      basePose,
      endEffector: hand,
      fingerForces: () => [0, 0],
      objects: () => [
        {
          name: "cup",
          shape: "cup",
          sizeM: [0.07, 0.07, 0.1],
          position: [0, 0, 0.8],
          rotation_wxyz: [1, 0, 0, 0],
        },
      ],
      fixtures: () => [],
      goals: {},
      // Only asked to lift the hand.
      solveIk: ({ position }, options) =>
        (options?.from ?? this.joints).map((value, i) => (i === 3 ? position[2] : value)),
    };
    this.driver = new Driver(view, [1, 1, 1, 1, 1], 0.05);
  }

  /** The commands until the stance is taken. */
  stand(...work: readonly Vec3[]): readonly (readonly number[])[] {
    const sent: (readonly number[])[] = [];
    for (const command of takeStance(this.driver, NAMES, work)) {
      this.joints = command;
      sent.push(command);
    }
    return sent;
  }
}

describe("the expert's stance", () => {
  it("the expert stance is where the robot stands if the arm points at the work within reach", () => {
    const base = new FakeBase([0, 0, 0]);
    base.joints = [0, 0, 0, 0.9, 0];
    expect(base.stand([0.3, -0.8, 0.8], [-0.1, -0.6, 0.8])).toEqual([]);
    // The base may move along the table, and neither towards it nor about itself.
    expect(base.driver.anchor([0.2, 0.1, 0.3, 0.5, 0.04])).toEqual([0.2, 0, 0, 0.5, 0.04]);
  });

  it("the expert stance turns the arm to work elsewhere, after the hand is above all objects", () => {
    const base = new FakeBase([0, 0, 0]);
    const sent = base.stand([0.6, 0.1, 0.8], [0.6, -0.1, 0.8]);
    expect(base.joints[2]).toBeCloseTo(Math.PI / 2, 6);
    expect(base.joints.slice(0, 2)).toEqual([expect.closeTo(0, 9), expect.closeTo(0, 9)]);
    const turning = sent.filter(([, , theta = 0]) => theta > 0);
    expect(Math.min(...turning.map((joints) => joints[3] ?? 0))).toBeGreaterThan(0.85);
    // The table is along y now.
    const [x, y, theta] = base.driver.anchor([0.2, 0.1, 0.3, 0.5, 0.04]);
    expect([x, y]).toEqual([expect.closeTo(0, 9), expect.closeTo(0.1, 9)]);
    expect(theta).toBeCloseTo(Math.PI / 2, 6);
  });

  it("the expert brings a hand out from below the table before it raises it", () => {
    const base = new FakeBase([0, 0, 0]);
    base.stand([0, -0.6, 0.8]);
    // The hand is 0.4 m from the base, and 0.45 m from the work afterwards.
    expect(base.joints.slice(0, 4)).toEqual([
      expect.closeTo(0, 9),
      expect.closeTo(0.25, 9),
      expect.closeTo(0, 9),
      0.2,
    ]);
    // The arm then reaches the work from where the robot stood.
    expect(base.driver.anchor(base.joints)[1]).toBe(0);
  });

  it("the expert stance is relative to the base pose", () => {
    const base = new FakeBase([2, 1, Math.PI / 2]);
    base.stand([2, 1.6, 0.8]);
    // The work is ahead of the base, which its arm reaches after a quarter turn.
    expect(base.joints[2]).toBeCloseTo(Math.PI / 2, 6);
  });

  it("the expert comes closer to work out of reach and backs off from work that is too close", () => {
    const far = new FakeBase([0, 0, 0]);
    far.stand([0, -1.1, 0.8]);
    expect(far.joints.slice(0, 3)).toEqual([
      expect.closeTo(0, 9),
      expect.closeTo(-0.35, 9),
      expect.closeTo(0, 9),
    ]);
    const close = new FakeBase([0, 0, 0]);
    close.stand([0.4, 0, 0.8]);
    expect(close.joints[0]).toBeCloseTo(-0.15, 9);
  });

  it("the expert stance stays within the limits of the base, by turning the other way if needed", () => {
    const base = new FakeBase([0, 0, 0]);
    base.joints = [0, 0, 2, 0.2, 0];
    // The arm points along 2 - pi/2; the work is 1.5 rad to its left.
    const yaw = 2 - Math.PI / 2 + 1.5;
    base.stand([2 * Math.cos(yaw), 2 * Math.sin(yaw), 0.8]);
    expect(base.joints[2]).toBeCloseTo(2 + 1.5 - 2 * Math.PI, 6);
    expect(base.joints.every((value, i) => i > 1 || Math.abs(value) <= 0.5)).toBe(true);
  });

  it("the expert stance does not change if the simulator does not report the base pose", () => {
    const base = new FakeBase(undefined);
    expect(base.stand([0.6, 0, 0.8])).toEqual([]);
    expect(base.stand([0, -0.5, 0.8])).toEqual([]);
  });
});

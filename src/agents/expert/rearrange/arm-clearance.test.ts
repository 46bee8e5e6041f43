import { describe, expect, it } from "vitest";
import type { Vec3 } from "../../../core/math/vec3.js";
import { Arm, type ArmJoints, type FlatPose, inBase } from "./arm.js";
import { type Approach, ArmClearance } from "./arm-clearance.js";

const LIMITS = {
  lift: [0, 1.1],
  arm: [0, 0.52],
  yaw: [-1.39, 4.42],
  pitch: [-1.57, 0.56],
} as const;

/** A hand of 0.23 m at the end of an arm to the right. */
const arm = new Arm(
  ({ lift, arm: out, yaw }) => ({
    position: [-0.02 + 0.23 * Math.sin(yaw), -0.2 - out - 0.23 * Math.cos(yaw), lift + 0.1],
    rotation_wxyz: [1, 0, 0, 0],
  }),
  (joint) => LIMITS[joint],
);

type Box = readonly [min: Vec3, max: Vec3];

/** Walks along the line: the boxes are larger than its steps. */
function among(boxes: readonly Box[]): ArmClearance {
  const isClear = (from: Vec3, to: Vec3) =>
    Array.from({ length: 101 }, (_, i) => i / 100).every((share) => {
      const at = from.map((x, axis) => x + share * ((to[axis] ?? x) - x));
      return !boxes.some(([min, max]) =>
        at.every((x, axis) => x > (min[axis] ?? 0) && x < (max[axis] ?? 0)),
      );
    });
  return new ArmClearance({ isClear }, arm);
}

const BASE: FlatPose = [0, 0, 0];
/** On a table of 0.7 m to the right of the robot. */
const POINT: Vec3 = [0, -0.7, 0.7];
const TABLE: Box = [
  [-0.5, -1.2, 0],
  [0.5, -0.5, 0.7],
];

function approach(more: Partial<Approach> = {}): Approach {
  const solved = (z: number): ArmJoints => {
    const joints = arm.solve(inBase(BASE, [POINT[0], POINT[1], z]), -0.7);
    if (!joints) throw new Error("out of reach");
    return joints;
  };
  return { base: BASE, point: POINT, hover: solved(0.85), at: solved(0.75), aboveM: 0.1, ...more };
}

describe("ArmClearance", () => {
  it("ArmClearance gives the lift over the object if nothing is in the way", () => {
    expect(among([TABLE]).liftFor(approach())).toBeCloseTo(0.75, 9);
  });

  it("ArmClearance raises the hand over objects in the arc in which it turns out", () => {
    const chair: Box = [
      [0.15, -0.45, 0],
      [0.4, -0.05, 0.9],
    ];
    expect(among([TABLE, chair]).liftFor(approach())).toBeCloseTo(0.85, 9);
    const wall: Box = [chair[0], [0.4, -0.05, 2]];
    expect(among([TABLE, wall]).liftFor(approach())).toBeUndefined();
  });

  it("ArmClearance finds no way below a shelf, or through one", () => {
    const shelf = (from: number, to: number): Box => [
      [-0.5, -1.2, from],
      [0.5, -0.6, to],
    ];
    expect(among([TABLE, shelf(0.95, 1.05)]).liftFor(approach())).toBeUndefined();
    expect(among([TABLE, shelf(0.86, 1.05)]).liftFor(approach())).toBeUndefined();
    expect(among([TABLE, shelf(1.2, 1.25)]).liftFor(approach())).toBeDefined();
  });

  it("ArmClearance raises a held object over obstacles that only this object would hit", () => {
    const pot: Box = [
      [-0.1, -0.6, 0.7],
      [0.1, -0.5, 0.78],
    ];
    const held = { below: 0.1, radiusM: 0.04 };
    expect(among([TABLE, pot]).liftFor(approach())).toBeDefined();
    expect(among([TABLE, pot]).liftFor(approach({ held }))).toBeUndefined();
  });
});

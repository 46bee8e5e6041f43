import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ROTATIONS } from "../../config/mapping.js";
import { convertRotation, ROTATION_SIZES } from "./rotation.js";

/** The same rotation in each form: angles 0.3, -0.5, 1.1 about fixed axes, computed with vla-eval's own code. */
const SAME = {
  euler_xyz: [0.3, -0.5, 1.1],
  quat_xyzw: [0.2513019482416862, -0.13286838981801152, 0.5322705776530124, 0.7974216914293405],
  quat_wxyz: [0.7974216914293405, 0.2513019482416862, -0.13286838981801152, 0.5322705776530124],
  axis_angle: [0.5395553350688264, -0.2852737477361931, 1.1428062212898102],
  axis_angle_full: [0.5395553350688264, -0.2852737477361931, 1.1428062212898102],
  rotation_6d: [
    0.39806804630419473, 0.7821080382182704, 0.479425538604203, -0.9156683791022788,
    0.3070707259497225, 0.2593433800522308,
  ],
  rotation_6d_interleaved: [
    0.39806804630419473, -0.9156683791022788, 0.7821080382182704, 0.3070707259497225,
    0.479425538604203, 0.2593433800522308,
  ],
};

/** Any rotation except those with ambiguous Euler angles. */
const rotation = fc
  .tuple(
    fc.double({ min: -3.1, max: 3.1, noNaN: true }),
    fc.double({ min: -1.5, max: 1.5, noNaN: true }),
    fc.double({ min: -3.1, max: 3.1, noNaN: true }),
  )
  .map((angles) => convertRotation(angles, "euler_xyz", "quat_wxyz"));

/** Similarity of two unit quaternions: 1 if they are the same rotation. */
function likeness(a: readonly number[], b: readonly number[]): number {
  return Math.abs(a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0));
}

function expectClose(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  for (const [i, x] of expected.entries()) expect(actual[i]).toBeCloseTo(x, 12);
}

describe("convertRotation", () => {
  it.each(ROTATIONS)("convertRotation converts %s to every other form", (from) => {
    for (const to of ROTATIONS) expectClose(convertRotation(SAME[from], from, to), SAME[to]);
  });

  it("round-trips every form", () => {
    fc.assert(
      fc.property(rotation, fc.constantFrom(...ROTATIONS), (quaternion, form) => {
        const there = convertRotation(quaternion, "quat_wxyz", form);
        expect(there).toHaveLength(ROTATION_SIZES[form]);
        const back = convertRotation(there, form, "quat_wxyz");
        expect(likeness(back, quaternion)).toBeCloseTo(1, 12);
      }),
    );
  });

  it("convertRotation gives the same result for both quaternions of a rotation", () => {
    fc.assert(
      fc.property(rotation, fc.constantFrom(...ROTATIONS), (q, form) => {
        fc.pre(form !== "axis_angle_full");
        fc.pre(Math.abs(q[0] ?? 0) > 1e-6);
        const other = q.map((x) => -x);
        expectClose(
          convertRotation(other, "quat_wxyz", form),
          convertRotation(q, "quat_wxyz", form),
        );
      }),
    );
  });

  it("convertRotation keeps the sign of a quaternion as quat2axisangle of robosuite does, if asked to", () => {
    // quat2axisangle([0.9, 0.3, -0.3, -0.1]) of robosuite 1.4.1: the hand of a Panda that points down.
    const full = convertRotation([0.9, 0.3, -0.3, -0.1], "quat_xyzw", "axis_angle_full");
    expectClose(full, [3.022887158322303, 1.007629052774101, -1.007629052774101]);
  });

  it("convertRotation keeps the identity, and the size of a tiny rotation", () => {
    expectClose(convertRotation([1, 0, 0, 0], "quat_wxyz", "axis_angle"), [0, 0, 0]);
    expectClose(convertRotation([0, 0, 0], "axis_angle", "quat_xyzw"), [0, 0, 0, 1]);
    const [x = 0] = convertRotation([1e-13, 0, 0], "axis_angle", "axis_angle");
    expect(x / 1e-13).toBeCloseTo(1, 6);
  });

  it("convertRotation converts a rotation at gimbal lock to Euler angles and back", () => {
    const down = convertRotation([0.4, Math.PI / 2, 0.9], "euler_xyz", "quat_wxyz");
    const angles = convertRotation(down, "quat_wxyz", "euler_xyz");
    expect(likeness(convertRotation(angles, "euler_xyz", "quat_wxyz"), down)).toBeCloseTo(1, 9);
  });

  it("convertRotation orthonormalises two columns and keeps the direction of the first", () => {
    expectClose(convertRotation([2, 0, 0, 0.5, 3, 0], "rotation_6d", "quat_wxyz"), [1, 0, 0, 0]);
  });

  it.each([
    [[0, 0, 0, 0], "quat_wxyz"],
    [[1, 0, 0, 2, 0, 0], "rotation_6d"],
    [[Number.NaN, 0, 0], "axis_angle"],
  ] as const)("convertRotation rejects %j as %s", (values, form) => {
    expect(() => convertRotation(values, form, "euler_xyz")).toThrow("is not a rotation");
  });

  it("convertRotation rejects the wrong number of values", () => {
    expect(() => convertRotation([1, 0, 0], "quat_xyzw", "euler_xyz")).toThrow(
      "quat_xyzw has 4 numbers, got 3",
    );
  });
});

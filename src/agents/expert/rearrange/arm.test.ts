import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Arm, type ArmJoints, inBase } from "./arm.js";

const LIMITS = {
  lift: [0, 1.1],
  arm: [0, 0.52],
  yaw: [-1.39, 4.42],
  pitch: [-1.57, 0.56],
} as const;
const WRIST = [-0.02, -0.2] as const;
const HAND_M = 0.23;

/** A lift, an arm to the right, and a hand that turns about a vertical axis and points down by the pitch. */
function handAt({ lift, arm, yaw, pitch }: ArmJoints) {
  const out = HAND_M * Math.cos(pitch);
  return {
    position: [
      WRIST[0] + out * Math.sin(yaw),
      WRIST[1] - arm - out * Math.cos(yaw),
      lift + 0.15 + HAND_M * Math.sin(pitch),
    ] as const,
    rotation_wxyz: [1, 0, 0, 0] as const,
  };
}

const arm = new Arm(handAt, (joint) => LIMITS[joint]);
const within = ([min, max]: readonly [number, number]) => fc.double({ min, max, noNaN: true });

describe("Arm", () => {
  it("Arm solves every point that the hand reaches with the fingers away from the robot", () => {
    fc.assert(
      fc.property(
        within(LIMITS.lift),
        within(LIMITS.arm),
        within([-1.2, 1.2]),
        within([-1.2, 0]),
        (lift, extension, yaw, pitch) => {
          const target = handAt({ lift, arm: extension, yaw, pitch }).position;
          const solved = arm.solve(target, pitch);
          // At a limit, rounding may put the solution outside.
          if (!solved) {
            expect(Math.min(lift, extension, 1.1 - lift, 0.52 - extension)).toBeLessThan(1e-9);
            return;
          }
          for (const [i, value] of handAt(solved).position.entries()) {
            expect(value).toBeCloseTo(target[i] ?? 0, 9);
          }
        },
      ),
    );
  });

  it.each([
    ["too far", [0, -1.2, 0.8]],
    ["behind the robot", [-0.6, -0.5, 0.8]],
    ["on the other side", [0, 0.5, 0.8]],
    ["too high", [0, -0.5, 1.6]],
  ] as const)("Arm has no solution for a point %s", (_, point) => {
    expect(arm.solve(point, -0.7)).toBeUndefined();
  });
});

describe("inBase", () => {
  it("inBase gives a point in the frame of the base: x ahead, y to the left", () => {
    const [x, y, z] = inBase([1, 2, Math.PI / 2], [0, 2, 0.5]);
    expect([x, y, z]).toEqual([expect.closeTo(0, 12), expect.closeTo(1, 12), 0.5]);
  });
});

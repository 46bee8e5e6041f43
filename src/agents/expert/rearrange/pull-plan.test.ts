import { describe, expect, it } from "vitest";
import type { Pose3, ViewFixture } from "../../../core/interfaces/manipulation-view.js";
import { aboutAxis } from "../../../core/math/quat-wxyz.js";
import { Arm, type ArmJoints, type FlatPose, inWorld } from "./arm.js";
import { pullOf } from "./pull-plan.js";

const HAND_M = 0.23;

function handAt({ lift, arm, yaw, pitch }: ArmJoints): Pose3 {
  const out = HAND_M * Math.cos(pitch);
  return {
    position: [
      out * Math.sin(yaw),
      -0.2 - arm - out * Math.cos(yaw),
      lift + 0.15 + HAND_M * Math.sin(pitch),
    ],
    rotation_wxyz: [1, 0, 0, 0],
  };
}

const LIMITS = {
  lift: [0, 1.1],
  arm: [0, 0.52],
  yaw: [-1.39, 4.42],
  pitch: [-1.57, 0.56],
} as const;
const arm = new Arm(handAt, (joint) => LIMITS[joint]);

/** A drawer that opens along -y by 0.3 m, with its handle at the origin when it is closed. */
function drawer(opened = 0): ViewFixture {
  const handleAt = (share: number): Pose3 => ({
    position: [0, -0.3 * share, 0.7],
    rotation_wxyz: aboutAxis([0, 0, 1], Math.PI / 2),
  });
  return { name: "drawer", kind: "drawer", range: 0.3, opened, handle: handleAt(opened), handleAt };
}

/** The arm extends to the right of the base, here along +y. */
const BASE: FlatPose = [0, -0.85, Math.PI];

describe("pullOf", () => {
  it("pullOf leads the hand from in front of the handle along the way of the drawer", () => {
    const pull = pullOf(arm, BASE, drawer());
    const handIn = (joints: ArmJoints | undefined) =>
      joints && inWorld(BASE, handAt(joints).position);
    expect(handIn(pull?.hover)?.[1]).toBeCloseTo(-0.11, 6);
    expect(handIn(pull?.at)?.[1]).toBeCloseTo(-0.01, 6);
    for (const joints of pull?.way ?? []) {
      const [x = Number.NaN, , z] = handIn(joints) ?? [];
      expect(x).toBeCloseTo(0, 6);
      expect(z).toBeCloseTo(0.7, 6);
    }
    expect(handIn(pull?.way.at(-1))?.[1]).toBeCloseTo(-0.01 - 0.95 * 0.3, 6);
  });

  it("pullOf pulls a drawer that is partly open only the rest of its way", () => {
    const [whole, rest] = [0, 0.6].map((opened) => pullOf(arm, BASE, drawer(opened))?.way.length);
    expect(rest).toBeLessThan(whole ?? 0);
  });

  it.each([
    ["too near for the end of the way", [0, -0.6, Math.PI]],
    ["too far for the handle", [0, -1.3, Math.PI]],
    ["askew to the drawer", [0.2, -0.8, Math.PI - 0.7]],
  ] as const)("pullOf gives no pull for a base that is %s", (_, base) => {
    expect(pullOf(arm, base, drawer())).toBeUndefined();
  });
});

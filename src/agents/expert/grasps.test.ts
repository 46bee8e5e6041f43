import { describe, expect, it } from "vitest";
import type { ViewObject } from "../../core/interfaces/manipulation-view.js";
import { rotate } from "../../core/math/quat-wxyz.js";
import { graspsOf } from "./grasps.js";
import { handClearance } from "./hand-clearance.js";
import { level } from "./pose.js";

function standing(shape: string, sizeM: ViewObject["sizeM"], yaw = 0): ViewObject {
  const position = [0.5, 0.1, sizeM[2] / 2] as const;
  return { name: "a", shape, sizeM, position, rotation_wxyz: level(yaw) };
}

/** Directions in which the fingers close, in degrees from 0 to 180. */
function closingLines(object: ViewObject, style: "level" | "down"): number[] {
  const lines = graspsOf(object, style).map(({ pose }) => {
    const [x, y] = rotate(pose.rotation_wxyz, [0, 1, 0]);
    return (Math.round((Math.atan2(y, x) * 180) / Math.PI) + 360) % 180;
  });
  return [...new Set(lines)].sort((a, b) => a - b);
}

describe("graspsOf", () => {
  it.each(["level", "down"] as const)("graspsOf closes across the sides of a box: %s", (style) => {
    const object = standing("box", [0.04, 0.12, 0.1], Math.PI / 6);
    expect(closingLines(object, style)).toEqual([30, 120]);
    const widths = new Set(graspsOf(object, style).map(({ widthM }) => widthM));
    expect([...widths].sort()).toEqual([0.04, 0.12]);
  });

  it("graspsOf closes across the flats of a hexagon", () => {
    const object = standing("hexagon", [0.06, 0.052, 0.09]);
    expect(closingLines(object, "level")).toEqual([30, 90, 150]);
    for (const { widthM } of graspsOf(object, "level")) expect(widthM).toBe(0.052);
  });

  it("graspsOf closes in any direction on a round object", () => {
    expect(closingLines(standing("cup", [0.06, 0.06, 0.1]), "level").length).toBeGreaterThan(20);
  });

  it("graspsOf closes across a lying can, not along it", () => {
    const half = Math.SQRT1_2;
    const lying: ViewObject = {
      ...standing("cylinder", [0.06, 0.06, 0.12]),
      rotation_wxyz: [half, 0, half, 0],
    };
    const narrow = graspsOf(lying, "level").filter(({ widthM }) => widthM === 0.06);
    const along = narrow.map(({ pose }) => Math.abs(rotate(pose.rotation_wxyz, [0, 1, 0])[1]));
    expect(along.length).toBeGreaterThan(0);
    for (const share of along) expect(share).toBeCloseTo(1, 9);
  });

  it("graspsOf points level from the side and straight down from above", () => {
    const object = standing("cylinder", [0.06, 0.06, 0.12]);
    for (const { pose } of graspsOf(object, "level")) {
      expect(rotate(pose.rotation_wxyz, [1, 0, 0])[2]).toBeCloseTo(0, 9);
    }
    for (const { pose } of graspsOf(object, "down")) {
      expect(rotate(pose.rotation_wxyz, [1, 0, 0])[2]).toBeCloseTo(-1, 9);
    }
  });
});

describe("hand clearance", () => {
  const hand = { position: [0.5, 0, 0.05], rotation_wxyz: level(0) } as const;
  const at = (x: number, y: number, z = 0.05): ViewObject => ({
    ...standing("box", [0.05, 0.05, 0.1]),
    position: [x, y, z],
  });
  const clearance = (object: ViewObject) => handClearance(hand, "level", 0.08, 0.1, 0, [object]);

  it("hand clearance is limited by objects on the approach path of the hand, not by objects behind the target", () => {
    expect(clearance(at(0.3, 0))).toBeLessThan(0);
    expect(clearance(at(0.1, 0, 0.12))).toBeLessThan(0);
    expect(clearance(at(0.65, 0))).toBeGreaterThan(0.05);
  });

  it("hand clearance is the distance to objects at the side, ignoring those below", () => {
    expect(clearance(at(0.5, 0.15))).toBeCloseTo(0.15 - 0.025 - 0.068, 9);
    expect(clearance(at(0.3, 0, -0.1))).toBeGreaterThan(0);
  });

  it("hand clearance is infinite without other objects", () => {
    expect(handClearance(hand, "level", 0.08, 0.1, 0, [])).toBe(Number.POSITIVE_INFINITY);
  });
});

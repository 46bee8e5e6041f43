import { describe, expect, it } from "vitest";
import type { ViewObject, ViewSurface } from "../../../core/interfaces/manipulation-view.js";
import { freeSpots } from "./put-down-plan.js";

const TABLE: ViewSurface = {
  centre: [2, 1, 0.75],
  yawRad: Math.PI / 2,
  sizeM: [1, 0.5],
  clearanceM: Infinity,
};
const cup = (position: ViewObject["position"]): ViewObject => ({
  name: "cup",
  shape: "cup",
  position,
  rotation_wxyz: [1, 0, 0, 0],
  sizeM: [0.08, 0.08, 0.1],
});

describe("freeSpots", () => {
  it("freeSpots are on the surface, with the whole object inside its edges", () => {
    const spots = freeSpots([TABLE], 0.05, []);
    expect(spots.length).toBeGreaterThan(20);
    // The table is turned by a quarter: its length is along y.
    for (const { position } of spots) {
      expect(Math.abs(position[0] - 2)).toBeLessThanOrEqual(0.25 - 0.05);
      expect(Math.abs(position[1] - 1)).toBeLessThanOrEqual(0.5 - 0.05);
      expect(position[2]).toBe(0.75);
    }
  });

  it("freeSpots keep clear of other objects on the surface, and ignore those below it", () => {
    const near = (at: ViewObject["position"]) =>
      freeSpots([TABLE], 0.05, [cup(at)]).filter(
        ({ position }) => Math.hypot(position[0] - 2, position[1] - 1) < 0.1,
      ).length;
    expect(near([2, 1, 0.8])).toBe(0);
    expect(near([2, 1, 0.1])).toBeGreaterThan(0);
  });

  it("freeSpots are not in a low compartment, where the hand has no room", () => {
    expect(freeSpots([{ ...TABLE, clearanceM: 0.3 }], 0.05, [])).toEqual([]);
  });
});

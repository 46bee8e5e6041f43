import { describe, expect, it } from "vitest";
import { TWO_ROOMS } from "./two-rooms.fixture.js";
import { wallsOf } from "./walls.js";

const { rooms = [], doors = [] } = TWO_ROOMS.model ?? {};
const lengthOf = (segments: ReturnType<typeof wallsOf>["solid"]) =>
  segments.reduce((sum, [[ax, az], [bx, bz]]) => sum + Math.abs(ax - bx) + Math.abs(az - bz), 0);

describe("the walls of rooms", () => {
  it("walls of rooms without doors are the room outlines", () => {
    const { solid, open } = wallsOf(rooms, []);
    expect(solid).toHaveLength(8);
    expect(lengthOf(solid)).toBeCloseTo(18 + 16, 9);
    expect(open).toEqual([]);
  });

  it("a door leaves a gap of its width in the walls of both rooms", () => {
    const { solid, open } = wallsOf(rooms, doors);
    expect(open.map(([[x]]) => x)).toEqual([5, 5.1]);
    expect(lengthOf(open)).toBeCloseTo(1.8, 9);
    expect(lengthOf(solid)).toBeCloseTo(34 - 1.8, 9);
  });

  it("a door of other rooms leaves no gap", () => {
    const elsewhere = doors.map((door) => ({ ...door, rooms: ["a", "b"] as const }));
    expect(wallsOf(rooms, elsewhere).open).toEqual([]);
  });

  it("a gap wider than its wall ends at the corner", () => {
    const wide = doors.map((door) => ({ ...door, widthM: 50 }));
    const { solid, open } = wallsOf(rooms, wide);
    expect(solid).toHaveLength(6);
    expect(lengthOf(open)).toBeCloseTo(8, 9);
  });
});

import { describe, expect, it } from "vitest";
import { TWO_ROOMS } from "./two-rooms.fixture.js";
import { wallsOf } from "./walls.js";

const { rooms = [], doors = [] } = TWO_ROOMS.model ?? {};
const lengthOf = (segments: ReturnType<typeof wallsOf>["solid"]) =>
  segments.reduce((sum, [[ax, az], [bx, bz]]) => sum + Math.abs(ax - bx) + Math.abs(az - bz), 0);

describe("the walls of rooms", () => {
  it("are the room outlines without doors", () => {
    const { solid, open } = wallsOf(rooms, []);
    expect(solid).toHaveLength(8);
    expect(lengthOf(solid)).toBeCloseTo(18 + 16, 9);
    expect(open).toEqual([]);
  });

  it("have a gap of the door's width on both sides of it", () => {
    const { solid, open } = wallsOf(rooms, doors);
    expect(open.map(([[x]]) => x)).toEqual([5, 5.1]);
    expect(lengthOf(open)).toBeCloseTo(1.8, 9);
    expect(lengthOf(solid)).toBeCloseTo(34 - 1.8, 9);
  });

  it("have no gap for a door of other rooms", () => {
    const elsewhere = doors.map((door) => ({ ...door, rooms: ["a", "b"] as const }));
    expect(wallsOf(rooms, elsewhere).open).toEqual([]);
  });

  it("end at the corner if a door is wider than its wall", () => {
    const wide = doors.map((door) => ({ ...door, widthM: 50 }));
    const { solid, open } = wallsOf(rooms, wide);
    expect(solid).toHaveLength(6);
    expect(lengthOf(open)).toBeCloseTo(8, 9);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InstructionReader } from "../../../test/support/instruction-reader.js";
import { smallHome } from "../../../test/support/small-home.js";
import { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { describePath } from "./instruction.js";

const NORTH = 0;
const SOUTH = Math.PI;
const EAST = -Math.PI / 2;

const on = (...points: readonly (readonly [number, number])[]): Vec3[] =>
  points.map(([x, z]) => [x, 0, z]);

/** From the bedroom's centre, out and east along the corridor to the bathroom. */
const TO_BATHROOM = on([1, 3], [1, 1.4], [1.4, 0.8], [6.6, 0.8], [7, 1.6], [6.8, 3], [5.4, 4.4]);
const TO_LIVING_ROOM = on([1, 3], [1, 1.4], [1.4, 0.8], [5.6, 0.8], [6, -0.1], [6, -2]);
const TO_KITCHEN = on([1, 3], [1, 1.4], [3.2, 0.1], [3.2, -0.1], [1.2, -3]);

const home = smallHome();

/** Instructions for many seeds. */
function texts(path: readonly Vec3[], headingRad: number, scene = home): string[] {
  return Array.from({ length: 40 }, (_, seed) => {
    const text = describePath(scene, { path, headingRad }, new Random(seed));
    if (text === undefined) throw new Error("no instruction");
    return text;
  });
}

describe("instruction through rooms", () => {
  it("an instruction names the rooms on the path and the object at the goal", () => {
    for (const text of texts(TO_BATHROOM, NORTH)) {
      expect(text).toMatch(/bedroom|corridor|hallway/);
      expect(text).toContain("bathroom");
      expect(text).toMatch(/(next to|by|near|beside) the toilet\.$/);
    }
  });

  it("instructions for one path have many variants", () => {
    expect(new Set(texts(TO_BATHROOM, NORTH)).size).toBeGreaterThan(20);
  });

  it("the first turn is relative to the start heading", () => {
    for (const text of texts(TO_BATHROOM, NORTH)) expect(text).toMatch(/^(Walk|Go) straight ahead/);
    for (const text of texts(TO_BATHROOM, SOUTH)) expect(text).toMatch(/^Turn around/);
    for (const text of texts(TO_BATHROOM, EAST)) expect(text).toMatch(/^Turn left/);
  });

  it("an instruction turns right from the bedroom door into the corridor and passes the shelf on the right", () => {
    for (const text of texts(TO_BATHROOM, NORTH)) {
      expect(text).toMatch(/[Tt]urn right/);
      expect(text).toContain("past the shelf on your right");
    }
  });

  it("an instruction counts doors on one side of the corridor", () => {
    const counted = texts(TO_LIVING_ROOM, NORTH).filter((text) => /first|second/.test(text));
    expect(counted.length).toBeGreaterThan(20);
    for (const text of counted) expect(text).toMatch(/second door on (the|your) left/);
  });

  it("an instruction does not mention an object that exists twice", () => {
    for (const text of texts(TO_KITCHEN, NORTH)) expect(text).not.toContain("chair");
    const one = texts(
      on([3.8, 0.8], [3.2, 0.1], [3.2, -0.1], [2.2, -1.2]),
      NORTH,
      smallHome("chair_2"),
    );
    for (const text of one) expect(text).toContain("the chair");
  });

  it("an instruction distinguishes two rooms of a kind, or is undefined", () => {
    const twins = {
      ...home,
      rooms: home.rooms.map((room) => ({
        ...room,
        kind: room.kind === "corridor" ? "corridor" : "bedroom",
      })),
    };
    for (const [path, room] of [
      [TO_BATHROOM, "bathroom_1"],
      [TO_LIVING_ROOM, "living_room_1"],
      [TO_KITCHEN, "kitchen_1"],
    ] as const) {
      for (let seed = 0; seed < 40; seed++) {
        const text = describePath(twins, { path, headingRad: NORTH }, new Random(seed));
        if (text === undefined) continue;
        const reader = new InstructionReader(twins, [1, 3], NORTH);
        reader.follow(text);
        expect(reader.room.name, text).toBe(room);
      }
    }
  });

  it("describePath returns undefined if the path does not use doors", () => {
    const through = on([1, 3], [7, 3]);
    expect(describePath(home, { path: through, headingRad: 0 }, new Random(1))).toBeUndefined();
  });

  it("the same random numbers give the same instruction", () => {
    const way = { path: TO_BATHROOM, headingRad: 1 };
    expect(describePath(home, way, new Random(5))).toBe(describePath(home, way, new Random(5)));
  });
});

describe("instruction without rooms", () => {
  const bare = { ...home, rooms: [], doors: [] };

  const WORDS =
    /(turn around|turn \d+ degrees (?:left|right)|turn (?:left|right)(?: by \d+)?|[\d.]+ meters?)/gi;

  /** Follows only turns and distances. */
  function deadReckoning(text: string, [x, , z]: Vec3, heading: number): [number, number] {
    const at: [number, number] = [x, z];
    let looks = heading;
    for (const [, words = ""] of text.matchAll(WORDS)) {
      const metres = /^([\d.]+) meter/.exec(words)?.[1];
      if (metres !== undefined) {
        at[0] -= Math.sin(looks) * Number(metres);
        at[1] -= Math.cos(looks) * Number(metres);
        continue;
      }
      const degrees = words.includes("around") ? 180 : Number(/\d+/.exec(words)?.[0] ?? 90);
      looks += ((words.includes("right") ? -degrees : degrees) * Math.PI) / 180;
    }
    return at;
  }

  it("an instruction without rooms leads to the goal up to the rounding of its last leg", () => {
    const coordinate = fc.double({ min: -5, max: 5, noNaN: true });
    const path = fc.array(fc.tuple(coordinate, fc.constant(0), coordinate), {
      minLength: 2,
      maxLength: 10,
    });
    const angle = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(path, angle, fc.nat(), (points, headingRad, seed) => {
        const [start, goal] = [points[0], points.at(-1)];
        if (!start || !goal) return;
        const text = describePath(bare, { path: points, headingRad }, new Random(seed)) ?? "";
        const [x, z] = deadReckoning(text, start, headingRad);
        // Five degrees either way over 14 m, and a quarter of a metre at its end.
        expect(Math.hypot(x - goal[0], z - goal[2])).toBeLessThan(1.6);
      }),
    );
  });

  it("an instruction without rooms contains only turns and distances", () => {
    const text = describePath(
      bare,
      { path: on([0, 0], [0, -4], [3, -4]), headingRad: 0 },
      new Random(3),
    );
    expect(text).toMatch(/^(Walk|Go|Move) [a-z ]*4 meters\. Turn [a-z0-9 ]*right[a-z0-9 ]*, /);
    expect(text).toMatch(/3 meters and (stop|wait)/);
  });

  it("an instruction mentions stairs if the path climbs", () => {
    const path: Vec3[] = [
      [0, 0, 0],
      [0, 2.5, -4],
      [3, 2.5, -4],
    ];
    const text = describePath(bare, { path, headingRad: 0 }, new Random(1));
    expect(text).toContain("Go up the stairs for 4 meters");
  });
});

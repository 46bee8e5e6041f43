import { describe, expect, it } from "vitest";
import { wallSegments } from "./adjacency.js";
import { inset, outlines } from "./outline.js";
import { drawPlan } from "./plan.js";
import { KIND_RULES } from "./program.js";
import { areaM2, type Plan } from "./types.js";

const plans: readonly Plan[] = Array.from({ length: 100 }, (_, seed) => drawPlan(seed));

function passages(plan: Plan): Plan["openings"] {
  return plan.openings.filter((o) => o.kind === "door" || o.kind === "arch");
}

/** Rooms that are reachable from the first one without passing through `closed`. */
function reached(plan: Plan, closed = -1): Set<number> {
  const start = closed === 0 ? 1 : 0;
  const seen = new Set([start]);
  for (const room of seen) {
    for (const { rooms } of passages(plan)) {
      if (!rooms.includes(room)) continue;
      for (const next of rooms) if (next !== closed) seen.add(next);
    }
  }
  return seen;
}

describe("an apartment plan", () => {
  it("plans have 3 to 12 rooms and 40 to 220 square metres and cover both ranges", () => {
    const counts = new Set<number>();
    const areas: number[] = [];
    for (const plan of plans) {
      counts.add(plan.rooms.length);
      areas.push(areaM2(plan.rooms.flatMap((room) => room.rects)));
    }
    for (let n = 3; n <= 12; n++) expect(counts).toContain(n);
    expect(Math.min(...counts)).toBe(3);
    expect(Math.max(...counts)).toBe(12);
    expect(Math.min(...areas)).toBeGreaterThan(40);
    expect(Math.min(...areas)).toBeLessThan(65);
    expect(Math.max(...areas)).toBeGreaterThan(160);
    expect(Math.max(...areas)).toBeLessThan(235);
  });

  it("different seeds give different plans", () => {
    const signatures = plans.map((plan) => {
      const area = areaM2(plan.rooms.flatMap((room) => room.rects)).toFixed(1);
      return `${plan.rooms.length}/${area}/${plan.openings.length}`;
    });
    expect(new Set(signatures).size).toBeGreaterThan(97);
    for (const style of ["spine", "blocks", "ring"]) {
      expect(plans.filter((plan) => plan.style === style).length).toBeGreaterThan(8);
    }
  });

  it("many plans are not rectangular, and many have a loop of rooms", () => {
    const corners = plans.map(
      (plan) => outlines(plan.rooms.flatMap((r) => r.rects))[0]?.length ?? 0,
    );
    expect(corners.filter((n) => n > 4).length).toBeGreaterThan(35);
    const loops = plans.filter((plan) => passages(plan).length >= plan.rooms.length);
    expect(loops.length).toBeGreaterThan(25);
  });

  it("every room is connected to every other without crossing a bathroom or a storeroom", () => {
    for (const plan of plans) {
      expect(reached(plan).size).toBe(plan.rooms.length);
      for (const [i, room] of plan.rooms.entries()) {
        if (KIND_RULES[room.kind].leaf) {
          expect(reached(plan, i).size).toBe(plan.rooms.length - 1);
        }
      }
    }
  });

  it("every plan has a bedroom, a bathroom, a living room, an entrance and, unless it is tiny, a kitchen", () => {
    for (const { rooms, openings } of plans) {
      const kinds = rooms.map((room) => room.kind);
      for (const kind of ["bedroom", "bathroom", "living_room"] as const) {
        expect(kinds).toContain(kind);
      }
      if (kinds.filter((kind) => kind !== "corridor").length > 3)
        expect(kinds).toContain("kitchen");
      expect(new Set(rooms.map((room) => room.name)).size).toBe(rooms.length);
      expect(openings.filter((o) => o.kind === "entrance")).toHaveLength(1);
      expect(openings.filter((o) => o.kind === "window").length).toBeGreaterThan(2);
    }
  });

  it("openings are disjoint and within one wall, and doors are wide enough to pass", () => {
    for (const plan of plans) {
      const walls = wallSegments(plan.rooms);
      for (const o of plan.openings) {
        const wall = walls.find(
          (w) =>
            w.axis === o.axis &&
            Math.abs(w.at / 10 - o.at) < 1e-9 &&
            w.rooms[0] === o.rooms[0] &&
            w.rooms[1] === o.rooms[1] &&
            w.from / 10 <= o.from - 0.05 &&
            w.to / 10 >= o.to + 0.05,
        );
        expect(wall, `${o.kind} ${o.axis}${o.at} ${o.from}..${o.to}`).toBeDefined();
        if (o.kind === "door") expect(o.to - o.from).toBeGreaterThan(0.8);
        const near = plan.openings.filter(
          (p) => p !== o && p.axis === o.axis && p.at === o.at && p.from < o.to && p.to > o.from,
        );
        expect(near).toEqual([]);
      }
    }
  });
});

describe("outlines", () => {
  it("outlines follow the union of rectangles with the inside to the left", () => {
    const [loop = [], ...more] = outlines([
      { x0: 0, z0: 0, x1: 20, z1: 10 },
      { x0: 0, z0: 10, x1: 10, z1: 30 },
    ]);
    expect(more).toEqual([]);
    expect(loop).toHaveLength(6);
    const area = (points: readonly (readonly [number, number])[]) =>
      points.reduce((sum, p, i) => {
        const q = points[(i + 1) % points.length] ?? p;
        return sum + (p[0] * q[1] - q[0] * p[1]) / 2;
      }, 0);
    expect(area(loop)).toBe(400);
    // Ten sides of a metre, and six corners, one of which is concave.
    expect(area(inset(loop, 0.1))).toBeCloseTo(4 - 10 * 0.1 + 4 * 0.01, 9);
  });

  it("outlines have one loop for each part and each hole", () => {
    const ring = [
      { x0: 0, z0: 0, x1: 30, z1: 10 },
      { x0: 0, z0: 20, x1: 30, z1: 30 },
      { x0: 0, z0: 10, x1: 10, z1: 20 },
      { x0: 20, z0: 10, x1: 30, z1: 20 },
    ];
    expect(outlines(ring).map((loop) => loop.length)).toEqual([4, 4]);
  });
});

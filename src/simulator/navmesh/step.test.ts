import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { NavMesh } from "./navmesh.js";
import { apartment, emptyRoom, twoStoreys } from "./scenes.fixture.js";
import { HABITAT_NAVMESH } from "./settings.js";

const across = (a: Vec3, b: Vec3) => Math.hypot(a[0] - b[0], a[2] - b[2]);

describe("NavMesh step", () => {
  let room: NavMesh;
  beforeAll(async () => {
    room = await NavMesh.build(emptyRoom(), HABITAT_NAVMESH, "room");
  });
  afterAll(() => room.dispose());

  it("a step in free space ends exactly at the requested position", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -2, max: 2, noNaN: true }),
        fc.double({ min: -2, max: 2, noNaN: true }),
        fc.double({ min: 0, max: 7, noNaN: true }),
        (x, z, heading) => {
          const from = room.snap([x, 0, z]) as Vec3;
          const to: Vec3 = [x + 0.25 * Math.cos(heading), from[1], z + 0.25 * Math.sin(heading)];
          for (const sliding of [true, false])
            expect(room.step([x, from[1], z], to, sliding)).toEqual([to[0], from[1], to[2]]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("a step slides along a wall, or stops at it if sliding is off", () => {
    const edge = room.bounds.max[0];
    const from = room.snap([edge - 0.1, 0, 0]) as Vec3;
    const to: Vec3 = [edge + 0.1, from[1], 0.2];
    const slid = room.step(from, to, true);
    expect(slid[0]).toBeCloseTo(edge, 3);
    expect(slid[2]).toBeCloseTo(0.2, 3);
    const stopped = room.step(from, to, false);
    expect(stopped[0]).toBeCloseTo(edge, 3);
    expect(stopped[2]).toBeCloseTo(0.1, 2);
  });

  it("a step without sliding moves from a wall along it or into the room", () => {
    const edge = room.bounds.max[0];
    const from = room.step([0, 0, 0], [edge + 0.2, 0, 0], false);
    expect(from[0]).toBeCloseTo(edge, 3);
    const inwards = room.step(from, [from[0] - 0.2, from[1], 0.15], false);
    expect(across(from, inwards)).toBeCloseTo(0.25, 4);
    const alongside = room.step(from, [from[0] - 1e-3, from[1], 0.25], false);
    expect(across(from, alongside)).toBeCloseTo(0.25, 2);
    expect(across(from, room.step(from, [from[0] + 0.25, from[1], 0], false))).toBeLessThan(2e-3);
  });

  it("a step does not move if either end is off the navmesh", () => {
    expect(room.step([20, 0, 0], [0, 0, 0], true)).toEqual([20, 0, 0]);
    expect(room.step([0, 0, 0], [20, 0, 0], true)).toEqual([0, 0, 0]);
    expect(room.step([0, 0, 0], [Number.NaN, 0, 0], false)).toEqual([0, 0, 0]);
    expect(room.step([0, 0.1, 0], [0, 0.1, 0], true)).toEqual([0, expect.closeTo(0.1, 0), 0]);
  });
});

describe.each([
  ["rooms with tables", apartment()],
  ["two storeys and stairs", twoStoreys("with stairs")],
])("a random walk through %s", (_, geometry) => {
  let mesh: NavMesh;
  beforeAll(async () => {
    mesh = await NavMesh.build(geometry, HABITAT_NAVMESH, "walk");
  });
  afterAll(() => mesh.dispose());

  it("a walk never leaves its island and no step is longer than requested", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 31 }),
        fc.boolean(),
        fc.constantFrom(0.05, 0.25, 1),
        (seed, sliding, length) => {
          const random = new Random(seed);
          let at = mesh.randomPoint(random);
          const island = mesh.island(at);
          let heading = 0;
          for (let i = 0; i < 60; i++) {
            if (random.below(4) === 0) heading = random.uniform() * 2 * Math.PI;
            const to: Vec3 = [
              at[0] + length * Math.sin(heading),
              at[1],
              at[2] + length * Math.cos(heading),
            ];
            const next = mesh.step(at, to, sliding);
            expect(mesh.isNavigable(next, 0.1)).toBe(true);
            expect(mesh.island(next)).toBe(island);
            expect(across(at, next)).toBeLessThan(length + 2e-3);
            expect(mesh.step(at, to, sliding)).toEqual(next);
            at = next;
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("a step without sliding does not stop at polygon edges", () => {
    const random = new Random(11);
    let free = 0;
    for (let i = 0; i < 3000; i++) {
      const from = mesh.randomPoint(random);
      const heading = random.uniform() * 2 * Math.PI;
      const to: Vec3 = [
        from[0] + 0.25 * Math.sin(heading),
        from[1],
        from[2] + 0.25 * Math.cos(heading),
      ];
      if (mesh.step(from, to, true)[0] !== to[0]) continue;
      free++;
      // Where a slide is unobstructed, so is the straight line, except around the far side of a corner.
      const straight = mesh.step(from, to, false);
      expect(straight[0] === to[0] || across(straight, from) > 1e-3).toBe(true);
    }
    expect(free).toBeGreaterThan(1000);
  });
});

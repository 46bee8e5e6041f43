import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../core/math/random.js";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import { NavMesh } from "./navmesh.js";
import { apartment, Boxes, emptyRoom, twoStoreys, UPPER_M } from "./scenes.fixture.js";
import { HABITAT_NAVMESH } from "./settings.js";

const seeds = fc.integer({ min: 0, max: 2 ** 31 });

describe("NavMesh", () => {
  let mesh: NavMesh;
  beforeAll(async () => {
    mesh = await NavMesh.build(apartment(), HABITAT_NAVMESH, "apartment");
  });
  afterAll(() => mesh.dispose());

  it("NavMesh makes separate islands of a closed room and of a table top", () => {
    expect(mesh.island([-5, 0, 0])).toBe(0);
    expect(mesh.island([5, 0, 3])).toBe(0);
    expect(mesh.island([7.5, 0, 0])).toBe(1);
    expect(mesh.islandAreaM2(0)).toBeGreaterThan(70);
    expect(mesh.islandAreaM2(1)).toBeGreaterThan(15);
    expect(() => mesh.islandAreaM2(99)).toThrow(/island 99 does not exist/);
  });

  it("NavMesh snaps nearby points to the floor, at least the body radius away from walls", () => {
    const [x, y, z] = mesh.snap([-5, 0.3, 2]) ?? [0, 0, 0];
    expect([x, z]).toEqual([-5, 2]);
    // Recast places the surface on top of the voxel: up to one cell height above the floor.
    expect(y).toBeGreaterThan(-0.01);
    expect(y).toBeLessThan(0.21);
    expect(mesh.snap([-5.99, 0, 2])?.[0]).toBeGreaterThan(-5.95);
    expect(mesh.snap([-9, 0, 2])).toBeUndefined();
    expect(mesh.snap([-5, 8, 2])).toBeUndefined();
    expect(mesh.snap([Number.NaN, 0, 2])).toBeUndefined();
    expect(mesh.snap([1e30, 0, -1e38])).toBeUndefined();
    expect(mesh.snap([-5, Number.NEGATIVE_INFINITY, 2])).toBeUndefined();
  });

  it("NavMesh accepts a point as navigable only on the surface and within maxYDeltaM of its height", () => {
    expect(mesh.isNavigable([-5, 0.1, 2])).toBe(true);
    expect(mesh.isNavigable([-5, 1, 2])).toBe(false);
    expect(mesh.isNavigable([-5, 1, 2], 2)).toBe(true);
    expect(mesh.isNavigable([-5.99, 0, 2])).toBe(false);
  });

  it("NavMesh measures a straight path exactly and a path through the door around the corner", () => {
    const at = (x: number, z: number): Vec3 => mesh.snap([x, 0, z]) ?? [0, 0, 0];
    expect(mesh.distance(at(-5, -3), at(-5, 3))).toBeCloseTo(6, 5);
    const corner = [-0.2, 0, -0.35] as const;
    const around = mesh.distance([-1, 0, -3], [1, 0, -3]);
    expect(around).toBeGreaterThan(2 * Math.hypot(0.8, 2.5));
    expect(around).toBeLessThan(2 * distance3([-1, 0, -3], corner) + 0.8);
  });

  it("NavMesh finds no path into a closed room or from outside the surface", () => {
    expect(mesh.distance([-5, 0, 0], [7.5, 0, 0])).toBe(Infinity);
    expect(mesh.path([-5, 0, 0], [7.5, 0, 0])).toEqual([]);
    expect(mesh.distance([-5, 0, 0], [40, 0, 0])).toBe(Infinity);
    expect(mesh.distance([40, 0, 0], [-5, 0, 0])).toBe(Infinity);
    expect(mesh.distanceToAny([-5, 0, 0], [])).toBe(Infinity);
    expect(
      mesh.distanceToAny(
        [-5, 0, 0],
        [
          [7.5, 0, 0],
          [40, 0, 0],
        ],
      ),
    ).toBe(Infinity);
  });

  it("NavMesh returns the path length as the distance, never below the straight line, independent of earlier queries", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = new Random(seed);
        const a = mesh.randomPoint(random);
        const b = mesh.randomPoint(random);
        const distance = mesh.distance(a, b);
        const path = mesh.path(a, b);
        let sum = 0;
        for (let i = 1; i < path.length; i++)
          sum += distance3(path[i - 1] as Vec3, path[i] as Vec3);
        if (mesh.island(a) !== mesh.island(b)) {
          expect(distance).toBe(Infinity);
          expect(path).toEqual([]);
        } else {
          expect(sum).toBe(distance);
          expect(distance).toBeGreaterThanOrEqual(distance3(a, b) - 1e-4);
          expect(distance3(path[0] as Vec3, a)).toBeLessThan(1e-4);
          expect(distance3(path.at(-1) as Vec3, b)).toBeLessThan(1e-4);
        }
        expect(mesh.distance(a, a)).toBe(0);
        mesh.distance(b, a);
        expect(mesh.distance(a, b)).toBe(distance);
      }),
      { numRuns: 300 },
    );
  });

  it("NavMesh returns bit for bit the minimum of the single distances for many goals", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 40 }), (seed, count) => {
        const random = new Random(seed);
        const goals = Array.from({ length: count }, (): Vec3 => {
          const [x, y, z] = mesh.randomPoint(random);
          return random.below(10) === 0 ? [x + 50, y, z] : [x, y + random.uniform(), z];
        });
        for (let i = 0; i < 3; i++) {
          const from = mesh.randomPoint(random);
          const each = goals.map((goal) => mesh.distance(from, goal));
          expect(mesh.distanceToAny(from, goals)).toBe(Math.min(...each));
        }
      }),
      { numRuns: 100 },
    );
  });

  it("NavMesh detects goals that the caller has changed", () => {
    const goals: Vec3[] = [[-5, 0, 3]];
    const from: Vec3 = [-5, 0, -3];
    expect(mesh.distanceToAny(from, goals)).toBe(mesh.distance(from, [-5, 0, 3]));
    goals[0] = [-5, 0, 0];
    expect(mesh.distanceToAny(from, goals)).toBe(mesh.distance(from, [-5, 0, 0]));
    goals.push([-5, 0, -2]);
    expect(mesh.distanceToAny(from, goals)).toBe(mesh.distance(from, [-5, 0, -2]));
  });

  it("NavMesh samples points uniformly by area, reproducibly by seed, on the requested island", () => {
    const random = new Random(3);
    const counts = new Map<number, number>();
    for (let i = 0; i < 4000; i++) {
      const point = mesh.randomPoint(random);
      expect(mesh.isNavigable(point, 0.01)).toBe(true);
      const island = mesh.island(point) ?? -1;
      counts.set(island, (counts.get(island) ?? 0) + 1);
    }
    const share = mesh.islandAreaM2(1) / mesh.areaM2;
    expect((counts.get(1) ?? 0) / 4000).toBeCloseTo(share, 1);
    for (let island = 0; island < mesh.islandCount; island++)
      expect(mesh.island(mesh.randomPoint(random, island))).toBe(island);
    expect(mesh.randomPoint(new Random(9))).toEqual(mesh.randomPoint(new Random(9)));
    expect(() => mesh.randomPoint(random, -1)).toThrow(/island -1 does not exist/);
  });

  it("NavMesh builds the same navmesh from the same geometry", async () => {
    const again = await NavMesh.build(apartment(), HABITAT_NAVMESH, "apartment");
    expect(Buffer.compare(again.save(), mesh.save())).toBe(0);
    again.dispose();
  });
});

describe("storeys above each other", () => {
  it("stairs connect two storeys", async () => {
    const mesh = await NavMesh.build(twoStoreys("with stairs"), HABITAT_NAVMESH, "stairs");
    const down: Vec3 = [7, 0, 0];
    const up: Vec3 = [7, UPPER_M, 0];
    expect(mesh.island(down)).toBe(mesh.island(up));
    const distance = mesh.distance(down, up);
    // Back beside the stairs to their foot, up, and on: 7 + 5.3 + 2.5 m, minus the corner at the first steps.
    expect(distance).toBeGreaterThan(13.5);
    expect(distance).toBeLessThan(16);
    expect(Math.abs(mesh.distance(up, down) - distance)).toBeLessThan(0.1 * distance);
    mesh.dispose();
  });

  it("storeys without stairs are separate islands, and a point snaps to the nearest", async () => {
    const mesh = await NavMesh.build(twoStoreys("without stairs"), HABITAT_NAVMESH, "storeys");
    const heights = [0.3, 1.2, 1.8, UPPER_M + 0.5].map(
      (y) => mesh.snap([7, y, 0])?.[1] ?? Number.NaN,
    );
    expect(heights.map((y) => Math.round(y / UPPER_M))).toEqual([0, 0, 1, 1]);
    expect(mesh.distance([7, 0, 0], [7, UPPER_M, 0])).toBe(Infinity);
    expect(mesh.island([7, 0, 0])).not.toBe(mesh.island([7, UPPER_M, 0]));
    expect(mesh.isNavigable([7, 1.4, 0])).toBe(false);
    mesh.dispose();
  });
});

describe("NavMesh dispose", () => {
  it("dispose frees the navmesh, so that later queries throw while other meshes keep working", async () => {
    const mesh = await NavMesh.build(emptyRoom(), HABITAT_NAVMESH, "room");
    const other = await NavMesh.build(emptyRoom(), HABITAT_NAVMESH, "room");
    mesh.dispose();
    mesh.dispose();
    expect(() => mesh.distance([0, 0, 0], [1, 0, 0])).toThrow(/disposed/);
    expect(() => mesh.snap([0, 0, 0])).toThrow(/disposed/);
    expect(() => mesh.save()).toThrow(/disposed/);
    expect(other.distance([0, 0, 0], [1, 0, 0])).toBeCloseTo(1, 5);
    other.dispose();
  });
});

describe("NavMesh build", () => {
  const cases: [what: string, make: () => Promise<unknown>, code: string][] = [
    [
      "a vertical floor",
      () =>
        NavMesh.build(
          new Boxes().box([-3, -3, 0], [3, 3, 0.01]).geometry,
          HABITAT_NAVMESH,
          "x.glb",
        ),
      "no_navigable_floor",
    ],
    [
      "a body wider than the room",
      () =>
        NavMesh.build(
          new Boxes().floor(-3, -3, 3, 3).box([-3, 1, -3], [3, 200, 3]).geometry,
          { ...HABITAT_NAVMESH, agentMaxSlopeDeg: 1, agentRadiusM: 3.5 },
          "x.glb",
        ),
      "no_navigable_floor",
    ],
    [
      "no triangles",
      () =>
        NavMesh.build(
          { positions: new Float32Array(), indices: new Uint32Array() },
          HABITAT_NAVMESH,
          "x.glb",
        ),
      "bad_geometry",
    ],
    [
      "a vertex that is not a number",
      () => {
        const { positions, indices } = emptyRoom();
        positions[4] = Number.NaN;
        return NavMesh.build({ positions, indices }, HABITAT_NAVMESH, "x.glb");
      },
      "bad_geometry",
    ],
    [
      "a triangle that refers to a missing vertex",
      () => {
        const { positions, indices } = emptyRoom();
        indices[4] = 4000;
        return NavMesh.build({ positions, indices }, HABITAT_NAVMESH, "x.glb");
      },
      "bad_geometry",
    ],
    [
      "a scene in millimetres",
      () =>
        NavMesh.build(
          new Boxes().floor(-3000, -3000, 3000, 3000).geometry,
          HABITAT_NAVMESH,
          "x.glb",
        ),
      "scene_too_large",
    ],
    [
      "a scene with more voxels than the limit",
      () =>
        NavMesh.build(new Boxes().floor(-400, -400, 400, 400).geometry, HABITAT_NAVMESH, "x.glb"),
      "scene_too_large",
    ],
  ];
  for (const [what, make, code] of cases)
    it(`NavMesh rejects ${what}`, async () => {
      await expect(make()).rejects.toMatchObject({
        name: "DataError",
        code,
        where: "x.glb",
      });
    });
});

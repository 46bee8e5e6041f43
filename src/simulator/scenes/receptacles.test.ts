import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Vec3 } from "../../core/math/vec3.js";
import { generateApartment } from "./apartment/apartment.js";
import { MeshBuilder } from "./apartment/mesh/builder.js";
import { box } from "./apartment/mesh/shapes.js";
import { pointBounds } from "./geometry.js";
import type { SceneModel } from "./model.js";
import { type ReceptacleSurface, receptaclesOf } from "./receptacles.js";

const WOOD = {
  material: { name: "wood", color: [1, 1, 1, 1] as const },
  repeatM: [1, 1] as const,
};

type Block = readonly [low: Vec3, high: Vec3];

/** A table of boxes in an empty world, turned about +y. */
function scene(blocks: readonly Block[], turnRad = 0, others: readonly Block[] = []): SceneModel {
  const table = new MeshBuilder({ at: [2, 0, -1], turnRad });
  for (const [low, high] of blocks) box(table, WOOD, low, high);
  const rest = new MeshBuilder({ at: [2, 0, -1], turnRad });
  for (const [low, high] of others) box(rest, WOOD, low, high);
  const parts = [...table.parts(1), ...rest.parts(0)];
  const bounds = pointBounds(table.parts(1).map(({ mesh }) => mesh.positions));
  return {
    id: "test",
    parts,
    instances: [
      { name: "building", category: "wall", min: [-9, 0, -9], max: [9, 3, 9] },
      { name: "table_1", category: "table", ...bounds },
    ],
    rooms: [],
    doors: [],
  };
}

const TOP: Block = [
  [-0.6, 0.7, -0.4],
  [0.6, 0.75, 0.4],
];

function surfacesOf(model: SceneModel): readonly ReceptacleSurface[] {
  return receptaclesOf(model)[0]?.surfaces ?? [];
}

/** Heights at which a vertical line meets the scene's triangles, found without the code under test. */
function heightsAt(model: SceneModel, x: number, z: number): number[] {
  const heights: number[] = [];
  for (const { mesh, solid, instance } of model.parts) {
    const { min = [0, 0, 0], max = [0, 0, 0] } = model.instances[instance] ?? {};
    const beside = x < min[0] || x > max[0] || z < min[2] || z > max[2];
    if (solid === false || beside) continue;
    const { positions: p, indices } = mesh;
    const at = (i: number, axis: number) => p[3 * (indices[i] as number) + axis] as number;
    for (let t = 0; t < indices.length; t += 3) {
      const [ax, az] = [at(t, 0), at(t, 2)];
      const [ux, uz] = [at(t + 1, 0) - ax, at(t + 1, 2) - az];
      const [vx, vz] = [at(t + 2, 0) - ax, at(t + 2, 2) - az];
      const area = ux * vz - uz * vx;
      if (Math.abs(area) < 1e-12) continue;
      const [dx, dz] = [x - ax, z - az];
      const [s, r] = [(dx * vz - dz * vx) / area, (ux * dz - uz * dx) / area];
      if (s < 0 || r < 0 || s + r > 1) continue;
      const y = at(t, 1);
      heights.push(y + s * (at(t + 1, 1) - y) + r * (at(t + 2, 1) - y));
    }
  }
  return heights;
}

describe("receptaclesOf", () => {
  it("receptaclesOf finds the whole top of an empty table, however it is turned", () => {
    for (const turnRad of [0, 0.3, Math.PI / 2]) {
      const [top, ...more] = surfacesOf(scene([TOP], turnRad));
      expect(more).toEqual([]);
      expect([...(top?.sizeM ?? [])].sort()).toEqual([
        expect.closeTo(0.8, 3),
        expect.closeTo(1.2, 3),
      ]);
      [2, 0.75, -1].forEach((value, k) => {
        expect(top?.centre[k]).toBeCloseTo(value, 3);
      });
      expect(top?.clearanceM).toBe(Number.POSITIVE_INFINITY);
      expect(Math.tan(2 * ((top?.yawRad ?? 0) - turnRad))).toBeCloseTo(0, 3);
    }
  });

  it("receptaclesOf leaves out what something stands on", () => {
    const vase: Block = [
      [-0.1, 0.75, -0.1],
      [0.1, 1, 0.1],
    ];
    const surfaces = surfacesOf(scene([TOP], 0, [vase]));
    expect(surfaces[0]?.sizeM).toEqual([expect.closeTo(0.5, 1), expect.closeTo(0.8, 3)]);
    for (const { centre, sizeM } of surfaces) {
      const apartX = Math.abs(centre[0] - 2) >= 0.1 + sizeM[0] / 2 - 1e-3;
      const apartZ = Math.abs(centre[2] + 1) >= 0.1 + sizeM[1] / 2 - 1e-3;
      expect(apartX || apartZ).toBe(true);
    }
  });

  it("receptaclesOf gives the clearance below a board, and leaves out what is lower than a can", () => {
    const board = (y: number): Block => [
      [-0.6, y, -0.4],
      [0.6, y + 0.03, 0.4],
    ];
    const clearances = (y: number) =>
      surfacesOf(scene([TOP, board(y)])).filter(({ centre }) => centre[1] < 0.8);
    expect(clearances(1.05)[0]?.clearanceM).toBeCloseTo(0.3, 3);
    expect(clearances(0.9)).toEqual([]);
  });

  it("receptaclesOf leaves out a space that is closed all around", () => {
    const side = (x: number, z: number, w: number, d: number): Block => [
      [x - w, 0.75, z - d],
      [x + w, 1.05, z + d],
    ];
    const walls = [side(-0.59, 0, 0.01, 0.4), side(0.59, 0, 0.01, 0.4), side(0, -0.39, 0.58, 0.01)];
    expect(surfacesOf(scene([TOP], 0, walls))).not.toEqual([]);
    expect(surfacesOf(scene([TOP], 0, [...walls, side(0, 0.39, 0.58, 0.01)]))).toEqual([]);
  });

  it("receptaclesOf leaves out tops that the arm does not reach", () => {
    const at = (y: number): Block => [
      [-0.6, y - 0.05, -0.4],
      [0.6, y, 0.4],
    ];
    expect(surfacesOf(scene([at(0.25)]))).toEqual([]);
    expect(surfacesOf(scene([at(1.2)]))).toEqual([]);
  });

  it("receptaclesOf finds surfaces of generated apartments that are level, free and not hidden", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), (seed) => {
        const model = generateApartment(seed);
        const receptacles = receptaclesOf(model);
        const found = new Set(receptacles.map(({ name }) => name));
        for (const { name, category } of model.instances) {
          const always = ["table", "desk", "counter", "bed", "couch", "nightstand"];
          if (always.includes(category)) expect(found, name).toContain(name);
        }
        for (const { name, room, surfaces } of receptacles) {
          expect(room, name).toBeDefined();
          for (const { centre, sizeM, yawRad, clearanceM } of surfaces) {
            expect(yawRad).toBe(0);
            expect(Math.min(...sizeM)).toBeGreaterThan(0.12 - 1e-6);
            expect(clearanceM).toBeGreaterThan(0.2 - 1e-3);
            expect(centre[1]).toBeGreaterThanOrEqual(0.3);
            for (const [u, v] of [
              [0, 0],
              [-0.47, -0.46],
              [0.46, -0.47],
              [0.47, 0.46],
              [-0.46, 0.47],
            ] as const) {
              const heights = heightsAt(model, centre[0] + u * sizeM[0], centre[2] + v * sizeM[1]);
              const where = `${name} in apartment ${seed}, at ${u}, ${v} of ${centre}`;
              const near = heights.filter((y) => Math.abs(y - centre[1]) <= 0.013);
              expect(near.length, where).toBeGreaterThan(0);
              const above = heights.filter((y) => y > centre[1] + 0.013);
              const free = Math.min(...above) - centre[1];
              expect(free, where).toBeGreaterThan(Math.min(clearanceM, 1) - 1e-3);
            }
          }
        }
      }),
      { numRuns: 2, endOnFailure: true, examples: [[0], [103]] },
    );
  });
});

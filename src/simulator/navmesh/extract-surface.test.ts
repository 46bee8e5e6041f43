import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { buildTiles, type Geometry } from "./build.js";
import { cutPolygon } from "./cut-polygon.js";
import { DetourMesh } from "./detour-mesh.js";
import type { SurfacePolygon, WalkableSurface } from "./extract-surface.js";
import { NavMesh } from "./navmesh.js";
import { startRecast } from "./recast.js";
import { apartment, labyrinth, twoStoreys } from "./scenes.fixture.js";
import { HABITAT_NAVMESH, type NavMeshSettings } from "./settings.js";

/** The same scene split into tiles, however small it is. */
async function tiled(geometry: Geometry, settings: NavMeshSettings): Promise<NavMesh> {
  await startRecast();
  const mesh = new DetourMesh(buildTiles(geometry, settings, "tiled", 0), "tiled");
  const bytes = mesh.save();
  mesh.dispose();
  return NavMesh.load(bytes, "tiled");
}

function groundArea({ vertices, polygons }: WalkableSurface): number {
  let sum = 0;
  for (const { corners } of polygons) {
    let own = 0;
    corners.forEach((a, i) => {
      const b = corners[(i + 1) % corners.length] as number;
      own +=
        (vertices[3 * a] as number) * (vertices[3 * b + 2] as number) -
        (vertices[3 * a + 2] as number) * (vertices[3 * b] as number);
    });
    sum += Math.abs(own) / 2;
  }
  return sum;
}

function parts({ polygons }: WalkableSurface): number {
  const seen = new Set<number>();
  let count = 0;
  polygons.forEach((_, start) => {
    if (seen.has(start)) return;
    count++;
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      open.push(...(polygons[at] as SurfacePolygon).neighbours.filter((next) => next >= 0));
    }
  });
  return count;
}

describe.each([
  ["rooms", "one tile", apartment()],
  ["rooms", "many tiles", apartment()],
  ["storeys", "one tile", twoStoreys("with stairs")],
  ["storeys", "many tiles", twoStoreys("with stairs")],
])("the surface of %s in %s", (_, tiles, geometry) => {
  let mesh: NavMesh;
  let surface: WalkableSurface;
  beforeAll(async () => {
    // A tile is 256 cells wide: 5.12 m here.
    const settings = { ...HABITAT_NAVMESH, cellSizeM: 0.02, agentRadiusM: 0.1 };
    mesh =
      tiles === "one tile"
        ? await NavMesh.build(geometry, HABITAT_NAVMESH, "solo")
        : await tiled(geometry, settings);
    surface = mesh.surface();
  });
  afterAll(() => mesh.dispose());

  it("polygons of a surface have three to six valid corners and at most one neighbour per edge", () => {
    for (const { corners, neighbours } of surface.polygons) {
      expect(corners.length).toBeGreaterThanOrEqual(3);
      expect(corners.length).toBeLessThanOrEqual(6);
      expect(neighbours.length).toBe(corners.length);
      expect(new Set(corners).size).toBe(corners.length);
      for (const corner of corners) expect(corner).toBeLessThan(surface.vertices.length / 3);
    }
  });

  it("neighbours in a surface share an edge in opposite directions", () => {
    surface.polygons.forEach(({ corners, neighbours }, polygon) => {
      neighbours.forEach((next, i) => {
        if (next < 0) return;
        const other = surface.polygons[next] as SurfacePolygon;
        const back = other.neighbours.indexOf(polygon);
        const from = corners[i];
        const to = corners[(i + 1) % corners.length];
        const edges = other.corners.map((a, j) => [
          a,
          other.corners[(j + 1) % other.corners.length],
        ]);
        expect(back).toBeGreaterThanOrEqual(0);
        expect(edges).toContainEqual([to, from]);
      });
    });
  });

  it("a surface has as many connected parts and the same area as its navmesh", () => {
    expect(parts(surface)).toBe(mesh.islandCount);
    expect(groundArea(surface)).toBeLessThan(mesh.areaM2 + 0.01);
    expect(groundArea(surface)).toBeGreaterThan(0.8 * mesh.areaM2);
  });
});

describe("a navmesh split into tiles", () => {
  it("several tiles give nearly the same distances as a single one", async () => {
    const settings = { ...HABITAT_NAVMESH, cellSizeM: 0.02 };
    const whole = await NavMesh.build(apartment(), settings, "whole");
    const cut = await tiled(apartment(), settings);
    expect(cut.areaM2).toBeGreaterThan(0.97 * whole.areaM2);
    expect(cut.areaM2).toBeLessThan(1.03 * whole.areaM2);
    const random = new Random(6);
    const errors: number[] = [];
    for (let i = 0; i < 200; i++) {
      const from = whole.randomPoint(random, 0);
      const to = whole.randomPoint(random, 0);
      errors.push(Math.abs(cut.distance(from, to) / whole.distance(from, to) - 1));
    }
    errors.sort((a, b) => a - b);
    // Detour's path depends on how the floor is cut, so single distances differ; see detour-quality.test.ts.
    expect(errors[100]).toBeLessThan(0.01);
    expect(errors[190]).toBeLessThan(0.15);
    expect(errors.at(-1)).toBeLessThan(0.5);
    whole.dispose();
    cut.dispose();
  });

  it("a navmesh split into tiles has paths of more than 256 polygons, where Habitat gives up", async () => {
    const rows = 120;
    const mesh = await tiled(labyrinth(rows), { ...HABITAT_NAVMESH, edgeMaxLenM: 2 });
    const from: Vec3 = [0.5, 0, 0.5];
    const to: Vec3 = [0.5, 0, rows * 1.2 - 0.5];
    const distance = mesh.distance(from, to);
    expect(mesh.polygonCount).toBeGreaterThan(600);
    expect(distance).toBeGreaterThan(rows * 10);
    expect(distance).toBeLessThan(rows * 12);
    expect(mesh.distance(from, to)).toBe(distance);
    mesh.dispose();
  });
});

describe("cutPolygon", () => {
  it("cutPolygon cuts a polygon into pieces of at most six corners, none of them a line", () => {
    const ring: [number, number][] = [];
    for (let i = 0; i < 10; i++) ring.push([i, 0]);
    for (let i = 0; i < 10; i++) ring.push([10, i]);
    ring.push([10, 10], [0, 10]);
    const pieces = cutPolygon(
      ring.map((_, i) => i),
      (vertex) => ring[vertex] as [number, number],
    );
    let area = 0;
    for (const piece of pieces) {
      expect(piece.length).toBeLessThanOrEqual(6);
      let own = 0;
      piece.forEach((a, i) => {
        const [ax, az] = ring[a] as [number, number];
        const [bx, bz] = ring[piece[(i + 1) % piece.length] as number] as [number, number];
        own += (ax * bz - az * bx) / 2;
      });
      expect(own).toBeGreaterThan(1e-3);
      area += own;
    }
    expect(area).toBeCloseTo(100, 6);
  });
});

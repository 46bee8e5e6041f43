import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { AnyAngleReference } from "./any-angle.fixture.js";
import type { Geometry } from "./build.js";
import { NavMesh } from "./navmesh.js";
import { HABITAT_NAVMESH, type NavMeshSettings } from "./settings.js";

/** Reads the vertices and faces of an OBJ file; faces become triangle fans. */
function readObj(file: string): Geometry {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === "v") positions.push(...rest.slice(0, 3).map(Number));
    if (word !== "f") continue;
    const corners = rest.map((corner) => Number.parseInt(corner, 10) - 1);
    for (let i = 2; i < corners.length; i++)
      indices.push(corners[0] as number, corners[i - 1] as number, corners[i] as number);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Reads the `pf` lines of Recast's test files: start, end, flags. */
function publishedQueries(file: string): [Vec3, Vec3][] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("pf"))
    .map((line) => {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = line
        .trim()
        .split(/\s+/)
        .slice(1)
        .map(Number);
      return [
        [a, b, c],
        [d, e, f],
      ];
    });
}

/** Settings of Recast's demo, whose sample meshes are game levels. */
const DEMO: NavMeshSettings = {
  ...HABITAT_NAVMESH,
  cellSizeM: 0.3,
  agentHeightM: 2,
  agentRadiusM: 0.6,
  agentMaxClimbM: 0.9,
  regionMinSize: 8,
};

interface Sample {
  readonly file: string;
  readonly settings: NavMeshSettings;
  readonly spacingM: number;
  /** Minimum number of relevant islands: storeys, roofs, closed rooms. */
  readonly islands: number;
  /** 95th percentile of Detour's length divided by the reference length. */
  readonly p95: number;
}

const SAMPLES: readonly Sample[] = [
  {
    file: "three-pathfinding/level.obj",
    settings: HABITAT_NAVMESH,
    spacingM: 0.15,
    islands: 3,
    p95: 1.02,
  },
  { file: "recast/nav_test.obj", settings: DEMO, spacingM: 0.8, islands: 5, p95: 1.02 },
  { file: "recast/dungeon.obj", settings: DEMO, spacingM: 0.5, islands: 1, p95: 1.02 },
  // Open hills have few, large polygons. Detour weighs paths by the midpoints of the edges they cross. If
  // edges are ten metres long, these are far from the actual path, so Detour chooses the wrong polygons more
  // often.
  { file: "recast/undulating.obj", settings: DEMO, spacingM: 1.2, islands: 1, p95: 1.08 },
];

const percentile = (sorted: readonly number[], p: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] as number;

describeWithSharedData("Detour's distances, compared to any-angle paths on a fine grid,", () => {
  const all: number[] = [];
  const lines: string[] = [];
  afterAll(() => {
    process.stdout.write(`${lines.join("\n")}\n`);
  });

  const report = (name: string, ratios: number[]) => {
    ratios.sort((a, b) => a - b);
    const [p50, p95, worst] = [0.5, 0.95, 1].map((p) => percentile(ratios, p).toFixed(4));
    lines.push(`  ${name}: n ${ratios.length}, p50 ${p50}, p95 ${p95}, worst ${worst}`);
  };

  it.each(SAMPLES)("Detour distances on $file are close to any-angle paths", async (sample) => {
    const mesh = await NavMesh.build(
      readObj(sharedData(`nav_meshes/${sample.file}`)),
      sample.settings,
      sample.file,
    );
    const large = Array.from({ length: mesh.islandCount }, (_, i) => mesh.islandAreaM2(i));
    expect(large.filter((area) => area > 0.01 * mesh.areaM2).length).toBeGreaterThanOrEqual(
      sample.islands,
    );

    const reference = new AnyAngleReference(mesh.surface(), sample.spacingM);
    const random = new Random(5);
    const ratios: number[] = [];
    for (let i = 0; i < 10; i++) {
      const from = mesh.randomPoint(random);
      const island = mesh.island(from);
      const targets = Array.from({ length: 40 }, () => mesh.randomPoint(random, island));
      reference.distances(from, targets).forEach((length, k) => {
        expect(length).toBeDefined();
        if (length === undefined || length < 2 * sample.spacingM) return;
        ratios.push(mesh.distance(from, targets[k] as Vec3) / length);
      });
    }
    report(sample.file, ratios);
    all.push(...ratios);
    expect(percentile(ratios, 0.95)).toBeLessThan(sample.p95);
    // The reference paths bend at grid points, so Detour may be slightly shorter.
    expect(ratios[0]).toBeGreaterThan(0.94);
    expect(percentile(ratios, 0.5)).toBeCloseTo(1, 2);
    mesh.dispose();
  });

  it("Detour distances exceed any-angle paths by less than 2 % at the 95th percentile over all meshes", () => {
    report("all meshes", all);
    expect(percentile(all, 0.95)).toBeLessThan(1.02);
  });

  it("Detour finds a path for each query that Recast published, close to any-angle paths", async () => {
    const mesh = await NavMesh.build(
      readObj(sharedData("nav_meshes/recast/nav_test.obj")),
      DEMO,
      "nav_test.obj",
    );
    const reference = new AnyAngleReference(mesh.surface(), 0.8);
    const ratios: number[] = [];
    for (const [from, to] of publishedQueries(sharedData("nav_meshes/recast/nav_mesh_test.txt"))) {
      const [start, end] = [mesh.snap(from), mesh.snap(to)];
      expect(start).toBeDefined();
      expect(end).toBeDefined();
      const distance = mesh.distance(from, to);
      expect(distance).toBeLessThan(Infinity);
      const [length] = reference.distances(start as Vec3, [end as Vec3]);
      if (length !== undefined) ratios.push(distance / length);
    }
    expect(ratios.length).toBeGreaterThan(15);
    report("published queries", ratios);
    expect(ratios.at(-1)).toBeLessThan(1.1);
    mesh.dispose();
  });
});

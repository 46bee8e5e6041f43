import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { hasSharedData, sharedData } from "../../../../test/shared-data.js";
import { Random } from "../../../core/math/random.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { AnyAngleJudge } from "./any-angle.fixture.js";
import type { Geometry } from "./build.js";
import { NavMesh } from "./navmesh.js";
import { HABITAT_NAVMESH, type NavMeshSettings } from "./settings.js";

/** Vertices and faces, faces as fans. */
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

/** `pf` lines of Recast's test files: start, end, flags. */
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

/** Recast's sample meshes are game levels, for its demo's body and voxels. */
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
  /** Least number of islands that matter: storeys, roofs, closed rooms. */
  readonly islands: number;
  /** At the 95th percentile, Detour's length over the judge's. */
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
  // Open hills: few, large polygons. Detour weighs ways by the middles of the edges they cross, which is far
  // from where one walks when edges are ten metres long, and so takes the wrong polygons more often.
  { file: "recast/undulating.obj", settings: DEMO, spacingM: 1.2, islands: 1, p95: 1.08 },
];

const percentile = (sorted: readonly number[], p: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] as number;

describe.skipIf(!hasSharedData)(
  "Detour's distances against an any-angle path on a fine grid",
  () => {
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

    it.each(SAMPLES)("$file is built, and they agree", async (sample) => {
      const mesh = await NavMesh.build(
        readObj(sharedData(`nav_meshes/${sample.file}`)),
        sample.settings,
        sample.file,
      );
      const large = Array.from({ length: mesh.islandCount }, (_, i) => mesh.islandAreaM2(i));
      expect(large.filter((area) => area > 0.01 * mesh.areaM2).length).toBeGreaterThanOrEqual(
        sample.islands,
      );

      const judge = new AnyAngleJudge(mesh.surface(), sample.spacingM);
      const random = new Random(5);
      const ratios: number[] = [];
      for (let i = 0; i < 10; i++) {
        const from = mesh.randomPoint(random);
        const island = mesh.island(from);
        const targets = Array.from({ length: 40 }, () => mesh.randomPoint(random, island));
        judge.distances(from, targets).forEach((length, k) => {
          expect(length).toBeDefined();
          if (length === undefined || length < 2 * sample.spacingM) return;
          ratios.push(mesh.distance(from, targets[k] as Vec3) / length);
        });
      }
      report(sample.file, ratios);
      all.push(...ratios);
      expect(percentile(ratios, 0.95)).toBeLessThan(sample.p95);
      // The judge's own paths bend at grid points, so Detour may be a little shorter, never much.
      expect(ratios[0]).toBeGreaterThan(0.94);
      expect(percentile(ratios, 0.5)).toBeCloseTo(1, 2);
      mesh.dispose();
    });

    it("they agree within 2 % at the 95th percentile over all meshes", () => {
      report("all meshes", all);
      expect(percentile(all, 0.95)).toBeLessThan(1.02);
    });

    it("Recast's published queries on its sample level have answers of the right length", async () => {
      const mesh = await NavMesh.build(
        readObj(sharedData("nav_meshes/recast/nav_test.obj")),
        DEMO,
        "nav_test.obj",
      );
      const judge = new AnyAngleJudge(mesh.surface(), 0.8);
      const ratios: number[] = [];
      for (const [from, to] of publishedQueries(
        sharedData("nav_meshes/recast/nav_mesh_test.txt"),
      )) {
        const [start, end] = [mesh.snap(from), mesh.snap(to)];
        expect(start).toBeDefined();
        expect(end).toBeDefined();
        const distance = mesh.distance(from, to);
        expect(distance).toBeLessThan(Infinity);
        const [length] = judge.distances(start as Vec3, [end as Vec3]);
        if (length !== undefined) ratios.push(distance / length);
      }
      expect(ratios.length).toBeGreaterThan(15);
      report("published queries", ratios);
      expect(ratios.at(-1)).toBeLessThan(1.1);
      mesh.dispose();
    });
  },
);

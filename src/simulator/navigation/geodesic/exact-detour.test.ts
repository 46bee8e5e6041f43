import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { hasSharedData, sharedData } from "../../../../test/shared-data.js";
import { Random } from "../../../core/math/random.js";
import { NavMesh } from "../navmesh/navmesh.js";
import { HABITAT_NAVMESH } from "../navmesh/settings.js";
import { ExactGeodesic } from "./exact.js";

/** Recast's own sample settings, for scenes larger than apartments. */
const LARGE = { cellSizeM: 0.3, agentHeightM: 2, agentRadiusM: 0.6, agentMaxClimbM: 0.9 };

const PAIRS = 60;

function readObj(file: string) {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [kind, ...words] = line.trim().split(/\s+/);
    if (kind === "v") positions.push(...words.slice(0, 3).map(Number));
    if (kind !== "f") continue;
    const [first = 0, ...rest] = words.map((word) => Number.parseInt(word, 10) - 1);
    for (const [i, c] of rest.slice(1).entries()) indices.push(first, rest[i] ?? 0, c);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

describe.skipIf(!hasSharedData)("against Detour's path", () => {
  const built: NavMesh[] = [];
  afterAll(() => {
    for (const navMesh of built) navMesh.dispose();
  });

  async function compare(file: string, settings: Partial<typeof HABITAT_NAVMESH>) {
    const geometry = readObj(sharedData(`nav_meshes/${file}`));
    const navMesh = await NavMesh.build(geometry, { ...HABITAT_NAVMESH, ...settings }, file);
    built.push(navMesh);
    const exact = new ExactGeodesic(navMesh.surface());
    const random = new Random(7);
    return Array.from({ length: PAIRS }, () => {
      const from = navMesh.randomPoint(random, 0);
      const to = navMesh.randomPoint(random, 0);
      const via = navMesh.randomPoint(random, 0);
      return {
        exact: exact.distance(from, to),
        back: exact.distance(to, from),
        around: exact.distance(from, via) + exact.distance(via, to),
        detour: navMesh.distance(from, to),
      };
    });
  }

  it("the exact way is never longer where polygons are level", async () => {
    const pairs = await compare("recast/nav_test.obj", LARGE);
    for (const { exact, back, around, detour } of pairs) {
      expect(back).toBe(exact);
      expect(exact).toBeLessThanOrEqual(around + 1e-9);
      expect(exact).toBeLessThanOrEqual(detour + 1e-3);
    }
    // Detour's is the best through its polygons only: some ways are more than a hundredth longer.
    expect(pairs.some(({ exact, detour }) => detour > 1.01 * exact)).toBe(true);
  });

  it.each([
    ["recast/dungeon.obj", LARGE],
    ["three-pathfinding/level.obj", {}],
  ])(
    "over slopes Detour measures through the air between corners, and may be a little shorter: %s",
    async (file, settings) => {
      for (const { exact, back, around, detour } of await compare(file, settings)) {
        expect(back).toBe(exact);
        expect(exact).toBeLessThanOrEqual(around + 1e-9);
        expect(exact).toBeLessThanOrEqual(1.05 * detour);
        expect(exact).toBeGreaterThan(0.8 * detour);
      }
    },
  );
});

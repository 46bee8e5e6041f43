import * as generators from "recast-navigation/generators";
import { describe, expect, it } from "vitest";
import { writeMset } from "./mset.js";
import { NavMesh } from "./navmesh.js";
import { startRecast } from "./recast.js";
import { Boxes } from "./scenes.fixture.js";
import { HABITAT_NAVMESH, inVoxels } from "./settings.js";
import { HEADER, openTile } from "./tile.js";

interface Generator {
  generateSoloNavMeshData(
    positions: Float32Array,
    indices: Uint32Array,
    config: object,
  ): { navMeshData: { toTypedArray(): Uint8Array } };
}
const { generateSoloNavMeshData } = generators as unknown as Generator;

/** Two floors 2 m apart with an off-mesh connection between them. */
async function withJump(): Promise<Uint8Array> {
  await startRecast();
  const { positions, indices } = new Boxes().floor(-5, -2, -1, 2).floor(1, -2, 5, 2).geometry;
  const { navMeshData } = generateSoloNavMeshData(positions, indices, {
    ...inVoxels(HABITAT_NAVMESH),
    offMeshConnections: [
      {
        startPosition: { x: -1.5, y: 0.25, z: 0 },
        endPosition: { x: 1.5, y: 0.25, z: 0 },
        radius: 0.3,
        bidirectional: true,
        area: 0,
        flags: 1,
        userId: 7,
      },
    ],
  });
  const bytes = navMeshData.toTypedArray();
  const tile = openTile(bytes, "jump");
  const at = (field: number, axis: number) => tile.f32[field / 4 + axis] as number;
  const min = HEADER.boundsMin;
  const max = HEADER.boundsMax;
  return writeMset(
    {
      origin: [at(min, 0), at(min, 1), at(min, 2)],
      tileWidthM: at(max, 0) - at(min, 0),
      tileHeightM: at(max, 2) - at(min, 2),
      maxTiles: 1,
      maxPolys: tile.polyCount,
    },
    [{ ref: 1 << 20, bytes }],
  );
}

describe("an off-mesh connection", () => {
  it("off-mesh connections are read but never used by paths", async () => {
    const file = await withJump();
    expect(new DataView(file.buffer).getInt32(48 + HEADER.offMeshConCount, true)).toBe(1);
    const mesh = await NavMesh.load(file, "jump.navmesh");
    expect(mesh.islandCount).toBe(2);
    expect(mesh.distance([-3, 0, 0], [3, 0, 0])).toBe(Infinity);
    expect(mesh.distance([-4, 0, 0], [-2, 0, 0])).toBeCloseTo(2, 4);
    expect(mesh.step([-1.5, 0.1, 0], [-0.5, 0.1, 0], true)[0]).toBeLessThan(-1);
    expect(mesh.surface().polygons.length).toBe(mesh.polygonCount - 1);
    const again = await NavMesh.load(mesh.save(), "again.navmesh");
    expect(again.distance([-3, 0, 0], [3, 0, 0])).toBe(Infinity);
    mesh.dispose();
    again.dispose();
  });

  it("the navmesh reader rejects an off-mesh connection whose polygon does not exist", async () => {
    const file = await withJump();
    // The polygon of the connection is stored 8 bytes before the end.
    new DataView(file.buffer).setUint16(file.length - 8, 60_000, true);
    await expect(NavMesh.load(file, "jump.navmesh")).rejects.toThrow(/off-mesh connection 0/);
  });
});

import { DataError } from "../../core/errors.js";
import type { TileSet } from "./mset.js";
import { generateSoloNavMeshData, Raw } from "./recast.js";
import { inVoxels, type NavMeshSettings, type VoxelSettings } from "./settings.js";
import { HEADER, openTile, type Tile } from "./tile.js";

export interface Geometry {
  /** x, y, z of each vertex. */
  readonly positions: Float32Array;
  /** Three vertices per triangle, counter-clockwise seen from above on walkable ground. */
  readonly indices: Uint32Array;
}

type Point = [x: number, y: number, z: number];

interface Box {
  readonly min: Point;
  readonly max: Point;
}

const MAX_SIZE_M = 2000;
const MAX_CELLS = 60e6;
/** Recast stores heights in 13 bits. */
const MAX_LAYERS = 8191;
/**
 * Scenes with at most this many cells are one tile, as in Habitat. Recast counts the walkable voxels of all
 * storeys in 24 bits, so larger scenes are split into tiles.
 */
const MAX_SOLO_CELLS = 4e6;
const TILE_CELLS = 256;

/** Builds voxels, regions, contours and polygons with Recast, using Habitat's parameters. */
export function buildTiles(
  geometry: Geometry,
  settings: NavMeshSettings,
  where: string,
  maxSoloCells = MAX_SOLO_CELLS,
): TileSet {
  const voxels = inVoxels(settings);
  const box = checkGeometry(geometry, where);
  const cells = checkSize(box, voxels, where);
  const context = { geometry, settings, voxels, box, where };
  // A single tile also fails if Detour's limit of 65,535 vertices is exceeded; then several tiles are tried.
  const solo = cells <= maxSoloCells ? makeTile(context, box, 0, geometry) : undefined;
  const built = solo === undefined ? buildGrid(context) : soloSet(solo);
  if (built.tiles.length === 0)
    throw new DataError(
      "no_navigable_floor",
      `the scene has no walkable floor for a body ${settings.agentHeightM} m tall and ${2 * settings.agentRadiusM} m wide`,
      {
        where,
        hint:
          "Check that the scene is in metres with y up, that its floor's triangles face up, and that the body " +
          `is not too tall or too wide. The scene is ${sizeOf(box)} m (x, y, z).`,
      },
    );
  return built;
}

function soloSet(tile: Tile): TileSet {
  const f = (at: number) => tile.f32[at / 4] as number;
  const min = HEADER.boundsMin;
  const max = HEADER.boundsMax;
  return {
    origin: [f(min), f(min + 4), f(min + 8)],
    tileWidthM: Math.fround(f(max) - f(min)),
    tileHeightM: Math.fround(f(max + 8) - f(min + 8)),
    tiles: [tile],
  };
}

interface BuildContext {
  readonly settings: NavMeshSettings;
  readonly voxels: VoxelSettings;
  readonly box: Box;
  readonly geometry: Geometry;
  readonly where: string;
}

/** Builds one tile over `box`. The outer `border` voxels on every side are read as context only. */
function makeTile(
  context: BuildContext,
  box: Box,
  border: number,
  geometry: Geometry,
): Tile | undefined {
  const { settings, voxels } = context;
  const result = generateSoloNavMeshData(geometry.positions, geometry.indices, {
    ...voxels,
    borderSize: border,
    bounds: [box.min, box.max],
    buildBvTree: true,
  });
  Raw.destroy(result.intermediates.buildContext.raw);
  if (result.navMeshData === undefined) return undefined;
  const tile = openTile(result.navMeshData.toTypedArray(), context.where);
  result.navMeshData.destroy();
  // The generator rounds these to voxels. Habitat stores them as given, and snapping uses the climb.
  tile.f32[HEADER.walkableHeight / 4] = settings.agentHeightM;
  tile.f32[HEADER.walkableRadius / 4] = settings.agentRadiusM;
  tile.f32[HEADER.walkableClimb / 4] = settings.agentMaxClimbM;
  return tile;
}

function buildGrid(context: BuildContext): TileSet {
  const { box, voxels, geometry } = context;
  const size = TILE_CELLS * voxels.cs;
  // Recast's own margin: the body's radius plus three voxels for the filters.
  const border = voxels.walkableRadius + 3;
  const margin = border * voxels.cs;
  const columns = Math.max(1, Math.ceil((box.max[0] - box.min[0]) / size));
  const rows = Math.max(1, Math.ceil((box.max[2] - box.min[2]) / size));
  const layout = { box, size, margin, columns, rows };
  const triangles = trianglesByTile(geometry, layout);
  const tiles: Tile[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const own = triangles[row * columns + column];
      if (own === undefined) continue;
      const x = box.min[0] + column * size;
      const z = box.min[2] + row * size;
      const around: Box = {
        min: [x - margin, box.min[1], z - margin],
        max: [x + size + margin, box.max[1], z + size + margin],
      };
      const tile = makeTile(context, around, border, excerpt(geometry, own));
      if (tile === undefined) continue;
      tile.i32[HEADER.x / 4] = column;
      tile.i32[HEADER.y / 4] = row;
      tiles.push(tile);
    }
  }
  return { origin: box.min, tileWidthM: size, tileHeightM: size, tiles };
}

interface TileLayout {
  readonly box: Box;
  readonly size: number;
  readonly margin: number;
  readonly columns: number;
  readonly rows: number;
}

/** The first index of every triangle near a tile, by tile; undefined if there are none. */
function trianglesByTile(geometry: Geometry, layout: TileLayout): (number[] | undefined)[] {
  const { positions, indices } = geometry;
  const out: (number[] | undefined)[] = new Array(layout.columns * layout.rows);
  const range = (i: number, axis: 0 | 2, count: number): [number, number] => {
    const at = (k: number) => positions[3 * (indices[i + k] as number) + axis] as number;
    const low = Math.min(at(0), at(1), at(2)) - layout.margin - layout.box.min[axis];
    const high = Math.max(at(0), at(1), at(2)) + layout.margin - layout.box.min[axis];
    return [
      Math.max(0, Math.floor(low / layout.size)),
      Math.min(count - 1, Math.floor(high / layout.size)),
    ];
  };
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const [left, right] = range(i, 0, layout.columns);
    const [near, far] = range(i, 2, layout.rows);
    for (let row = near; row <= far; row++)
      for (let column = left; column <= right; column++) {
        const tile = row * layout.columns + column;
        const list = out[tile] ?? [];
        list.push(i);
        out[tile] = list;
      }
  }
  return out;
}

/** A subset of the triangles with only the vertices they use. */
function excerpt(geometry: Geometry, triangles: readonly number[]): Geometry {
  const seen = new Map<number, number>();
  const indices = new Uint32Array(triangles.length * 3);
  const positions: number[] = [];
  triangles.forEach((first, t) => {
    for (let k = 0; k < 3; k++) {
      const vertex = geometry.indices[first + k] as number;
      let own = seen.get(vertex);
      if (own === undefined) {
        own = seen.size;
        seen.set(vertex, own);
        for (let axis = 0; axis < 3; axis++)
          positions.push(geometry.positions[3 * vertex + axis] as number);
      }
      indices[3 * t + k] = own;
    }
  });
  return { positions: Float32Array.from(positions), indices };
}

function checkGeometry({ positions, indices }: Geometry, where: string): Box {
  const bad = (what: string, hint: string) => new DataError("bad_geometry", what, { where, hint });
  const vertices = Math.floor(positions.length / 3);
  if (indices.length < 3)
    throw bad("the scene has no triangles", "A navmesh needs a floor to stand on.");
  if (indices.length % 3 !== 0 || positions.length % 3 !== 0)
    throw bad(
      "the scene's triangles are incomplete",
      "Give three indices per triangle and three coordinates per vertex.",
    );
  for (let i = 0; i < indices.length; i++)
    if ((indices[i] as number) >= vertices)
      throw bad(
        `triangle ${Math.floor(i / 3)} refers to vertex ${indices[i]}, but the scene has ${vertices} vertices`,
        "Export the scene again.",
      );
  const min: Point = [Infinity, Infinity, Infinity];
  const max: Point = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    const value = positions[i] as number;
    const axis = i % 3;
    if (!Number.isFinite(value))
      throw bad(
        `vertex ${Math.floor(i / 3)} has the invalid coordinate ${value}`,
        "Export the scene again.",
      );
    if (value < (min[axis] as number)) min[axis] = value;
    if (value > (max[axis] as number)) max[axis] = value;
  }
  return { min, max };
}

function checkSize(box: Box, voxels: VoxelSettings, where: string): number {
  const tooLarge = (what: string) =>
    new DataError("scene_too_large", `the scene is ${sizeOf(box)} m (x, y, z): ${what}`, {
      where,
      hint: "Check that it is in metres. For a scene of this size, use larger voxels (cell size and cell height).",
    });
  const [x, y, z] = [0, 1, 2].map((i) => (box.max[i] as number) - (box.min[i] as number)) as Point;
  if (Math.max(x, y, z) > MAX_SIZE_M) throw tooLarge(`the limit is ${MAX_SIZE_M} m`);
  const cells = Math.ceil(x / voxels.cs) * Math.ceil(z / voxels.cs);
  if (cells > MAX_CELLS)
    throw tooLarge(
      `${Math.round(cells / 1e6)} million ground voxels exceed the limit of 60 million`,
    );
  if (y / voxels.ch > MAX_LAYERS)
    throw tooLarge(`its height exceeds the limit of ${MAX_LAYERS} voxels of ${voxels.ch} m`);
  return cells;
}

function sizeOf(box: Box): string {
  return box.max.map((high, i) => (high - (box.min[i] as number)).toFixed(1)).join(" x ");
}

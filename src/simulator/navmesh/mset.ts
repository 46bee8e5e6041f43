import { DataError } from "../../core/errors.js";
import { checkTile, type TileGrid } from "./check-tile.js";
import { badFile, DETOUR_MAGIC, HEADER_BYTES, openTile, type Tile } from "./tile.js";

/** A navmesh as plain bytes, as read from a file or made by the builder. */
export interface TileSet {
  /** Minimum corner of the grid of tiles. */
  readonly origin: readonly [x: number, y: number, z: number];
  readonly tileWidthM: number;
  readonly tileHeightM: number;
  readonly tiles: readonly Tile[];
}

/*
 * Habitat's `.navmesh` is the tile set of Recast's demo, little endian:
 *   magic "MSET", version, number of tiles (int32 each);
 *   dtNavMeshParams: origin x, y, z, tile width, tile height (float32), most tiles, most polygons (int32);
 *   version 2 only: Habitat's NavMeshSettings, 13 float32 and 4 bool (3 and padding in older writers);
 *   for every tile its reference (uint32), size in bytes (int32), and bytes.
 */
const MAGIC = 0x4d534554;
const HEADER_END = 40;
const SETTINGS_BYTES = 56;
const TILE_HEADER_BYTES = 8;
const MAX_TILES = 65_536;

/** Reads versions 1 and 2; throws a DataError for a damaged file. */
export function readMset(bytes: Uint8Array, where: string): TileSet {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 4 || data.getInt32(0, true) !== MAGIC)
    throw new DataError("not_a_navmesh", 'not a navmesh: the file does not start with "MSET"', {
      where,
      hint: "Use a .navmesh file of Habitat or of Recast's demo.",
    });
  if (bytes.byteLength < HEADER_END) throw truncated("its header", where);
  const version = data.getInt32(4, true);
  if (version !== 1 && version !== 2)
    throw new DataError(
      "navmesh_version",
      `the navmesh has version ${version}, which is not supported`,
      {
        where,
        hint: "Use version 1 or 2.",
      },
    );
  const count = data.getInt32(8, true);
  if (count === 0)
    throw new DataError("empty_navmesh", "the navmesh has no tiles, so nothing is walkable", {
      where,
      hint: "Compute it again with a body that fits the scene, or delete the file to have the navmesh built from the scene's geometry.",
    });
  if (count < 0 || count > MAX_TILES) throw damaged(`it declares ${count} tiles`, where);
  const [x = 0, y = 0, z = 0] = [12, 16, 20].map((at) => data.getFloat32(at, true));
  const tileWidthM = data.getFloat32(24, true);
  const tileHeightM = data.getFloat32(28, true);
  if (![x, y, z].every((value) => Math.abs(value) <= 1e5))
    throw damaged(`its origin is ${[x, y, z].join(", ")}`, where);
  for (const size of [tileWidthM, tileHeightM])
    if (!(size >= 0.01 && size <= 1e5)) throw damaged(`its tiles are ${size} m wide`, where);

  const grid = { originX: x, originZ: z, tileWidthM, tileHeightM };
  const first = HEADER_END + (version === 2 ? SETTINGS_BYTES : 0);
  const tiles = readTiles(bytes, data, { first, count, grid }, where);
  return { origin: [x, y, z], tileWidthM, tileHeightM, tiles };
}

interface TileList {
  readonly first: number;
  readonly count: number;
  readonly grid: TileGrid;
}

function readTiles(bytes: Uint8Array, data: DataView, list: TileList, where: string): Tile[] {
  const tiles: Tile[] = [];
  let at = list.first;
  for (let i = 0; i < list.count; i++) {
    const name = `tile ${i + 1} of ${list.count}`;
    if (at + TILE_HEADER_BYTES + HEADER_BYTES > bytes.byteLength) throw truncated(name, where);
    if (
      data.getInt32(at + 16, true) === DETOUR_MAGIC &&
      data.getInt32(at + 8, true) !== DETOUR_MAGIC
    )
      throw new DataError("navmesh_version", "the navmesh uses 64-bit polygon references", {
        where,
        hint: "Use 32-bit references, as Habitat writes them.",
      });
    const ref = data.getUint32(at, true);
    const size = data.getInt32(at + 4, true);
    at += TILE_HEADER_BYTES;
    if (ref === 0 || size < HEADER_BYTES) throw damaged(`${name} has ${size} bytes`, where);
    if (size > bytes.byteLength - at) throw truncated(name, where);
    const tile = openTile(bytes.slice(at, at + size), where);
    checkTile(tile, list.grid, where);
    tiles.push(tile);
    at += size;
  }
  if (at !== bytes.byteLength)
    throw damaged(`${bytes.byteLength - at} bytes follow its last tile`, where);
  return tiles;
}

/** A tile in Detour's memory, with its reference there. */
export interface StoredTile {
  readonly ref: number;
  readonly bytes: Uint8Array;
}

export interface GridParams extends Omit<TileSet, "tiles"> {
  readonly maxTiles: number;
  readonly maxPolys: number;
}

/** Writes version 1, which every Habitat version reads. */
export function writeMset(params: GridParams, tiles: readonly StoredTile[]): Uint8Array {
  const size = tiles.reduce(
    (sum, { bytes }) => sum + TILE_HEADER_BYTES + bytes.byteLength,
    HEADER_END,
  );
  const out = new Uint8Array(size);
  const data = new DataView(out.buffer);
  data.setInt32(0, MAGIC, true);
  data.setInt32(4, 1, true);
  data.setInt32(8, tiles.length, true);
  const floats = [...params.origin, params.tileWidthM, params.tileHeightM];
  for (const [i, value] of floats.entries()) data.setFloat32(12 + 4 * i, value, true);
  data.setInt32(32, params.maxTiles, true);
  data.setInt32(36, params.maxPolys, true);
  let at = HEADER_END;
  for (const { ref, bytes } of tiles) {
    data.setUint32(at, ref, true);
    data.setInt32(at + 4, bytes.byteLength, true);
    out.set(bytes, at + TILE_HEADER_BYTES);
    at += TILE_HEADER_BYTES + bytes.byteLength;
  }
  return out;
}

function truncated(what: string, where: string): DataError {
  return badFile("truncated_navmesh", `the navmesh ends within ${what}`, where);
}

function damaged(what: string, where: string): DataError {
  return badFile("damaged_navmesh", `the navmesh is damaged: ${what}`, where);
}

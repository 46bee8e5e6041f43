import { DataError } from "../../core/errors.js";
import { type GridParams, type StoredTile, type TileSet, writeMset } from "./mset.js";
import { Raw, type RawArray, type RawMesh } from "./recast.js";
import {
  DISABLED,
  polyFlags,
  polygonArea,
  setPolyFlags,
  type Tile,
  viewsOf,
  WALK,
} from "./tile.js";

/** Bits for tile and polygon in Detour's 32-bit references; the other ten detect stale references. */
const REFERENCE_BITS = 22;
/** Detour's searches fail inside polygons below this area; Habitat disables them as well. */
const MIN_AREA_M2 = 1e-5;

/**
 * A navmesh in Detour's memory. A polygon has two identifiers: Detour's reference, and an index from 0 that
 * runs through all tiles.
 */
export class DetourMesh {
  readonly raw: RawMesh;
  readonly polygonCount: number;
  /** The tiles in Detour's memory, links included. */
  readonly tiles: readonly Tile[];
  /** Index of the first polygon of each tile. */
  readonly firstPolygon: readonly number[];
  readonly #params: GridParams;
  readonly #refs: readonly number[];
  readonly #memory: readonly RawArray[];
  readonly #polyBits: number;

  constructor(set: TileSet, where: string) {
    this.#params = gridParams(set, where);
    this.#polyBits = bitsFor(this.#params.maxPolys);
    for (const tile of set.tiles) disableUnusable(tile);
    this.raw = emptyMesh(this.#params, where);
    const added = addTiles(this.raw, set.tiles, where);
    this.#refs = added.refs;
    this.#memory = added.memory;
    this.tiles = set.tiles.map((tile, i) => ({
      ...tile,
      ...viewsOf(memoryCopy(added.memory[i])),
    }));
    const starts = startsOf(set.tiles.map(({ polyCount }) => polyCount));
    this.firstPolygon = starts.slice(0, -1);
    this.polygonCount = starts.at(-1) ?? 0;
  }

  /** The index of a polygon by its reference. Detour numbers tiles in the order in which they were added. */
  polygonOf(ref: number): number {
    const tileBits = bitsFor(this.#params.maxTiles);
    const tile = (ref >>> this.#polyBits) & ((1 << tileBits) - 1);
    return (this.firstPolygon[tile] as number) + (ref & ((1 << this.#polyBits) - 1));
  }

  locate(polygon: number): { readonly tile: Tile; readonly poly: number } {
    let tile = this.tiles.length - 1;
    while ((this.firstPolygon[tile] as number) > polygon) tile--;
    return { tile: this.tiles[tile] as Tile, poly: polygon - (this.firstPolygon[tile] as number) };
  }

  save(): Uint8Array {
    const tiles: StoredTile[] = this.#memory.map((memory, i) => ({
      ref: this.#refs[i] as number,
      bytes: memoryCopy(memory),
    }));
    return writeMset(this.#params, tiles);
  }

  dispose(): void {
    this.raw.destroy();
    Raw.destroy(this.raw);
    for (const memory of this.#memory) Raw.destroy(memory);
  }
}

/** Where each of consecutive lists of these lengths starts, followed by their total length. */
export function startsOf(lengths: readonly number[]): number[] {
  const starts = [0];
  for (const length of lengths) starts.push((starts.at(-1) ?? 0) + length);
  return starts;
}

/** Detour's dtIlog2(dtNextPow2(n)). */
function bitsFor(n: number): number {
  return n <= 1 ? 0 : 32 - Math.clz32(n - 1);
}

/**
 * The limits in a file only describe how its references are encoded. Links are rebuilt when tiles are added,
 * so the limits are set to the actual counts.
 */
function gridParams(set: TileSet, where: string): GridParams {
  const { tiles, ...grid } = set;
  const maxTiles = tiles.length;
  const maxPolys = Math.max(...tiles.map((tile) => tile.polyCount));
  if (bitsFor(maxTiles) + bitsFor(maxPolys) > REFERENCE_BITS)
    throw new DataError(
      "scene_too_large",
      `the navmesh has ${maxTiles} tiles of up to ${maxPolys} polygons, which exceeds Detour's 32-bit references`,
      { where, hint: "Use larger voxels (cell size)." },
    );
  return { ...grid, maxTiles, maxPolys };
}

function emptyMesh(params: GridParams, where: string): RawMesh {
  const raw = new Raw.Module.NavMesh();
  const rawParams = new Raw.Module.dtNavMeshParams();
  for (const [axis, value] of params.origin.entries()) rawParams.set_orig(axis, value);
  rawParams.tileWidth = params.tileWidthM;
  rawParams.tileHeight = params.tileHeightM;
  rawParams.maxTiles = params.maxTiles;
  rawParams.maxPolys = params.maxPolys;
  const made = raw.initTiled(rawParams);
  Raw.destroy(rawParams);
  if (made) return raw;
  raw.destroy();
  Raw.destroy(raw);
  throw new DataError("damaged_navmesh", "Detour rejects the navmesh's grid of tiles", { where });
}

function addTiles(
  raw: RawMesh,
  tiles: readonly Tile[],
  where: string,
): { refs: number[]; memory: RawArray[] } {
  const refs: number[] = [];
  const memory: RawArray[] = [];
  const ref = new Raw.Module.UnsignedIntRef();
  for (const tile of tiles) {
    const bytes = new Raw.Module.UnsignedCharArray();
    bytes.resize(tile.bytes.byteLength);
    Raw.Module.HEAPU8.set(tile.bytes, bytes.getDataPointer());
    memory.push(bytes);
    // Without flags, this process keeps ownership of the memory and frees it after the mesh.
    const status = raw.addTile(bytes, 0, 0, ref);
    if (Raw.Detour.statusSucceed(status)) {
      refs.push(ref.value);
      continue;
    }
    Raw.destroy(ref);
    raw.destroy();
    Raw.destroy(raw);
    for (const used of memory) Raw.destroy(used);
    throw new DataError(
      "damaged_navmesh",
      "Detour rejects a tile of the navmesh; two tiles may have the same position",
      { where, hint: "Delete the file to have the navmesh built from the scene's geometry." },
    );
  }
  Raw.destroy(ref);
  return { refs, memory };
}

function memoryCopy(memory: RawArray | undefined): Uint8Array {
  if (memory === undefined) return new Uint8Array();
  const at = memory.getDataPointer();
  return Raw.Module.HEAPU8.slice(at, at + memory.size);
}

/** Disables degenerate polygons and off-mesh connections: robots neither jump nor use lifts. */
function disableUnusable(tile: Tile): void {
  for (let poly = 0; poly < tile.polyCount; poly++) {
    if (poly >= tile.groundCount) setPolyFlags(tile, poly, 0);
    else if ((polyFlags(tile, poly) & WALK) !== 0 && polygonArea(tile, poly) < MIN_AREA_M2)
      setPolyFlags(tile, poly, DISABLED);
  }
}

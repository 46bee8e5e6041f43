import { DataError } from "../../core/errors.js";

/**
 * The bytes of one Detour tile (DetourNavMesh.h, 32-bit references, little endian), opened for reading. In
 * order: header, vertices, polygons, links, detail meshes, detail vertices, detail triangles, bounding
 * volumes, off-mesh connections.
 */
export interface Tile extends Readonly<ReturnType<typeof viewsOf>> {
  readonly polyCount: number;
  /** Polygons from here on are off-mesh connections. */
  readonly groundCount: number;
  readonly vertCount: number;
  readonly detailVertCount: number;
  readonly detailTriCount: number;
  readonly bvNodeCount: number;
  /** Offsets in bytes. */
  readonly polysAt: number;
  readonly linksAt: number;
  readonly detailMeshesAt: number;
  readonly detailVertsAt: number;
  readonly detailTrisAt: number;
  readonly bvTreeAt: number;
  readonly offMeshAt: number;
}

export const DETOUR_MAGIC = 0x444e4156; // "DNAV"
const VERSION = 7;

/** Byte offsets in the header. */
export const HEADER = {
  magic: 0,
  version: 4,
  x: 8,
  y: 12,
  polyCount: 24,
  vertCount: 28,
  maxLinkCount: 32,
  detailMeshCount: 36,
  detailVertCount: 40,
  detailTriCount: 44,
  bvNodeCount: 48,
  offMeshConCount: 52,
  offMeshBase: 56,
  walkableHeight: 60,
  walkableRadius: 64,
  walkableClimb: 68,
  boundsMin: 72,
  boundsMax: 84,
  bvQuantFactor: 96,
} as const;

export const HEADER_BYTES = 100;
const VERTEX_BYTES = 12;
export const POLY_BYTES = 32;
export const LINK_BYTES = 12;
export const DETAIL_MESH_BYTES = 12;
export const DETAIL_TRI_BYTES = 4;
export const BV_NODE_BYTES = 16;
export const OFF_MESH_BYTES = 36;

/** Offsets in a polygon: corners and neighbours are six 16-bit numbers each. */
export const POLY = {
  firstLink: 0,
  corners: 4,
  neighbours: 16,
  flags: 28,
  cornerCount: 30,
  area: 31,
};

/** Marks an entry of `neighbours` as an edge on the tile's border. */
export const EXTERNAL = 0x8000;
export const NO_LINK = 0xffffffff;
/** Polygon flag for walkable ground, as in Habitat. */
export const WALK = 1;
export const DISABLED = 4;

const MAX_COUNT = 1 << 22;

/** Opens a tile after checking that its counts match its size. `bytes` must own its buffer. */
export function openTile(bytes: Uint8Array, where: string): Tile {
  const damaged = (what: string) => damagedTile(what, where);
  if (bytes.byteLength < HEADER_BYTES || bytes.byteLength % 4 !== 0)
    throw damaged(`its size of ${bytes.byteLength} bytes is invalid`);
  const { i32 } = viewsOf(bytes);
  const count = (field: keyof typeof HEADER, least: number): number => {
    const value = i32[HEADER[field] / 4] as number;
    if (value < least || value > MAX_COUNT) throw damaged(`its ${field} is ${value}`);
    return value;
  };
  const magic = i32[0] as number;
  if (magic !== DETOUR_MAGIC)
    throw damaged(`it starts with 0x${(magic >>> 0).toString(16)} instead of Detour's "DNAV"`);
  const version = i32[1] as number;
  if (version !== VERSION)
    throw damaged(`it has Detour's tile version ${version}; only ${VERSION} is supported`);
  const polyCount = count("polyCount", 1);
  const vertCount = count("vertCount", 3);
  const detailMeshCount = count("detailMeshCount", 1);
  const detailVertCount = count("detailVertCount", 0);
  const detailTriCount = count("detailTriCount", 1);
  const bvNodeCount = count("bvNodeCount", 0);
  const offMeshCount = count("offMeshConCount", 0);
  const groundCount = count("offMeshBase", 1);
  if (groundCount + offMeshCount !== polyCount || detailMeshCount !== groundCount)
    throw damaged("its polygon counts are inconsistent");

  const polysAt = HEADER_BYTES + vertCount * VERTEX_BYTES;
  const linksAt = polysAt + polyCount * POLY_BYTES;
  const detailMeshesAt = linksAt + count("maxLinkCount", 1) * LINK_BYTES;
  const detailVertsAt = detailMeshesAt + detailMeshCount * DETAIL_MESH_BYTES;
  const detailTrisAt = detailVertsAt + detailVertCount * VERTEX_BYTES;
  const bvTreeAt = detailTrisAt + detailTriCount * DETAIL_TRI_BYTES;
  const offMeshAt = bvTreeAt + bvNodeCount * BV_NODE_BYTES;
  const size = offMeshAt + offMeshCount * OFF_MESH_BYTES;
  if (size !== bytes.byteLength)
    throw damaged(`its counts require ${size} bytes, but it has ${bytes.byteLength}`);
  return {
    ...viewsOf(bytes),
    polyCount,
    groundCount,
    vertCount,
    detailVertCount,
    detailTriCount,
    bvNodeCount,
    polysAt,
    linksAt,
    detailMeshesAt,
    detailVertsAt,
    detailTrisAt,
    bvTreeAt,
    offMeshAt,
  };
}

/** The bytes of a tile as arrays of the number types in it. */
export function viewsOf(bytes: Uint8Array) {
  const { buffer, byteOffset, byteLength } = bytes;
  return {
    bytes,
    i32: new Int32Array(buffer, byteOffset, byteLength / 4),
    u32: new Uint32Array(buffer, byteOffset, byteLength / 4),
    f32: new Float32Array(buffer, byteOffset, byteLength / 4),
    u16: new Uint16Array(buffer, byteOffset, byteLength / 2),
  };
}

export function damagedTile(what: string, where: string): DataError {
  return badFile("damaged_navmesh", `the navmesh has a damaged tile: ${what}`, where);
}

export function badFile(code: string, message: string, where: string): DataError {
  return new DataError(code, message, {
    where,
    hint: "Copy the file again, or delete it to have the navmesh built from the scene's geometry.",
  });
}

export function cornerCount(tile: Tile, poly: number): number {
  return tile.bytes[tile.polysAt + poly * POLY_BYTES + POLY.cornerCount] as number;
}

export function corner(tile: Tile, poly: number, index: number): number {
  return tile.u16[(tile.polysAt + poly * POLY_BYTES + POLY.corners) / 2 + index] as number;
}

export function polyFlags(tile: Tile, poly: number): number {
  return tile.u16[(tile.polysAt + poly * POLY_BYTES + POLY.flags) / 2] as number;
}

export function setPolyFlags(tile: Tile, poly: number, flags: number): void {
  tile.u16[(tile.polysAt + poly * POLY_BYTES + POLY.flags) / 2] = flags;
}

/** Calls `visit` with the corners of each height triangle of a polygon, as float indices in `tile.f32`. */
export function eachTriangle(
  tile: Tile,
  poly: number,
  visit: (a: number, b: number, c: number) => void,
): void {
  const mesh = tile.detailMeshesAt + poly * DETAIL_MESH_BYTES;
  const vertBase = tile.u32[mesh / 4] as number;
  const triBase = tile.u32[mesh / 4 + 1] as number;
  const triCount = tile.bytes[mesh + 9] as number;
  const corners = cornerCount(tile, poly);
  const at = (triangle: number, k: number): number => {
    const index = tile.bytes[
      tile.detailTrisAt + (triBase + triangle) * DETAIL_TRI_BYTES + k
    ] as number;
    return index < corners
      ? HEADER_BYTES / 4 + corner(tile, poly, index) * 3
      : tile.detailVertsAt / 4 + (vertBase + index - corners) * 3;
  };
  for (let i = 0; i < triCount; i++) visit(at(i, 0), at(i, 1), at(i, 2));
}

/** Half the length of the cross product; `a`, `b` and `c` are indices as in `eachTriangle`. */
export function triangleArea(f32: Float32Array, a: number, b: number, c: number): number {
  const [ax, ay, az] = [f32[a] as number, f32[a + 1] as number, f32[a + 2] as number];
  const ux = (f32[b] as number) - ax;
  const uy = (f32[b + 1] as number) - ay;
  const uz = (f32[b + 2] as number) - az;
  const vx = (f32[c] as number) - ax;
  const vy = (f32[c + 1] as number) - ay;
  const vz = (f32[c + 2] as number) - az;
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return Math.sqrt(x * x + y * y + z * z) / 2;
}

export function polygonArea(tile: Tile, poly: number): number {
  let area = 0;
  eachTriangle(tile, poly, (a, b, c) => {
    area += triangleArea(tile.f32, a, b, c);
  });
  return area;
}

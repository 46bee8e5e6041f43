import {
  BV_NODE_BYTES,
  corner,
  cornerCount,
  DETAIL_MESH_BYTES,
  DETAIL_TRI_BYTES,
  damagedTile,
  EXTERNAL,
  HEADER,
  HEADER_BYTES,
  OFF_MESH_BYTES,
  POLY,
  POLY_BYTES,
  type Tile,
} from "./tile.js";

/** Position of a tile in the grid of its navmesh. */
export interface TileGrid {
  readonly originX: number;
  readonly originZ: number;
  readonly tileWidthM: number;
  readonly tileHeightM: number;
}

/**
 * Detour does not validate its input: an index out of range reads unrelated memory, and a bad skip in the
 * bounding volume tree loops forever. So every index and link is checked first.
 */
export function checkTile(tile: Tile, grid: TileGrid, where: string): void {
  const wrong =
    checkHeader(tile, grid) ??
    checkVertices(tile) ??
    checkPolygons(tile) ??
    checkDetail(tile) ??
    checkTree(tile) ??
    checkOffMesh(tile);
  if (wrong !== undefined) throw damagedTile(wrong, where);
}

/** Scenes are far smaller. Beyond this, single precision cannot resolve centimetres. */
const MAX_COORDINATE_M = 100_000;

function checkHeader(tile: Tile, grid: TileGrid): string | undefined {
  const f32 = (at: number) => tile.f32[at / 4] as number;
  const climb = f32(HEADER.walkableClimb);
  if (!(climb >= 0 && climb <= 100)) return `its climb is ${climb} m, but 0 to 100 m is valid`;
  const quant = f32(HEADER.bvQuantFactor);
  if (!(quant >= 0.01 && quant <= 10_000)) return `its bvQuantFactor is ${quant}`;
  for (let axis = 0; axis < 3; axis++) {
    const min = f32(HEADER.boundsMin + 4 * axis);
    const max = f32(HEADER.boundsMax + 4 * axis);
    if (!(min >= -MAX_COORDINATE_M && max <= MAX_COORDINATE_M && min <= max))
      return `its bounds on axis ${axis} are ${min} to ${max}`;
  }
  const slack = 2 / quant;
  const outside = (axis: number, index: number, origin: number, size: number): boolean => {
    const low = origin + index * size;
    const min = f32(HEADER.boundsMin + 4 * axis);
    const max = f32(HEADER.boundsMax + 4 * axis);
    return !(Math.abs(min - low) <= slack && max <= low + size + slack);
  };
  const x = tile.i32[HEADER.x / 4] as number;
  const y = tile.i32[HEADER.y / 4] as number;
  if (outside(0, x, grid.originX, grid.tileWidthM) || outside(2, y, grid.originZ, grid.tileHeightM))
    return `its bounds do not match its cell (${x}, ${y}) in the grid of tiles`;
  return undefined;
}

function checkVertices(tile: Tile): string | undefined {
  const { f32 } = tile;
  // Corners lie on voxels, whose grid may exceed the bounds by less than a voxel; heights exceed them by a
  // few.
  const slack = [2 / (f32[HEADER.bvQuantFactor / 4] as number), 2];
  const inside = (at: number, axis: number): boolean => {
    const value = f32[at + axis] as number;
    const margin = slack[axis === 1 ? 1 : 0] as number;
    return (
      value >= (f32[HEADER.boundsMin / 4 + axis] as number) - margin &&
      value <= (f32[HEADER.boundsMax / 4 + axis] as number) + margin
    );
  };
  const check = (from: number, count: number): boolean => {
    for (let i = 0; i < count; i++) {
      const at = from / 4 + 3 * i;
      if (!inside(at, 0) || !inside(at, 1) || !inside(at, 2)) return false;
    }
    return true;
  };
  // Off-mesh connections may end outside. Their end points follow the polygons' vertices.
  const offMesh = 2 * (tile.polyCount - tile.groundCount);
  if (!check(HEADER_BYTES, tile.vertCount - offMesh)) return "a vertex lies outside its bounds";
  if (!check(tile.detailVertsAt, tile.detailVertCount))
    return "a detail vertex lies outside its bounds";
  return undefined;
}

function checkPolygons(tile: Tile): string | undefined {
  for (let poly = 0; poly < tile.polyCount; poly++) {
    const ground = poly < tile.groundCount;
    const at = tile.polysAt + poly * POLY_BYTES;
    const corners = cornerCount(tile, poly);
    if (ground ? corners < 3 || corners > 6 : corners !== 2)
      return `polygon ${poly} has ${corners} corners`;
    if ((tile.bytes[at + POLY.area] as number) >> 6 !== (ground ? 0 : 1))
      return `polygon ${poly} has an unknown type`;
    for (let i = 0; i < corners; i++) {
      if (corner(tile, poly, i) >= tile.vertCount)
        return `a corner of polygon ${poly} refers to a missing vertex`;
      const next = tile.u16[(at + POLY.neighbours) / 2 + i] as number;
      if ((next & EXTERNAL) === 0 && next > tile.groundCount)
        return `a neighbour of polygon ${poly} does not exist`;
    }
  }
  return checkNeighbours(tile);
}

/** Neighbours must refer to each other over the same edge. */
function checkNeighbours(tile: Tile): string | undefined {
  const neighbour = (poly: number, edge: number) =>
    tile.u16[(tile.polysAt + poly * POLY_BYTES + POLY.neighbours) / 2 + edge] as number;
  for (let poly = 0; poly < tile.groundCount; poly++) {
    const count = cornerCount(tile, poly);
    for (let i = 0; i < count; i++) {
      const next = neighbour(poly, i);
      if (next === 0 || (next & EXTERNAL) !== 0) continue;
      const other = next - 1;
      const [from, to] = [corner(tile, poly, i), corner(tile, poly, (i + 1) % count)];
      const sides = cornerCount(tile, other);
      let mutual = false;
      for (let j = 0; j < sides; j++)
        mutual ||=
          neighbour(other, j) === poly + 1 &&
          corner(tile, other, j) === to &&
          corner(tile, other, (j + 1) % sides) === from;
      if (!mutual) return `polygons ${poly} and ${other} do not refer to each other as neighbours`;
    }
  }
  return undefined;
}

function checkDetail(tile: Tile): string | undefined {
  for (let poly = 0; poly < tile.groundCount; poly++) {
    const at = tile.detailMeshesAt + poly * DETAIL_MESH_BYTES;
    const vertBase = tile.u32[at / 4] as number;
    const triBase = tile.u32[at / 4 + 1] as number;
    const vertCount = tile.bytes[at + 8] as number;
    const triCount = tile.bytes[at + 9] as number;
    if (vertBase + vertCount > tile.detailVertCount || triBase + triCount > tile.detailTriCount)
      return `the heights of polygon ${poly} point outside the tile`;
    const known = cornerCount(tile, poly) + vertCount;
    for (let i = 0; i < triCount; i++) {
      const triangle = tile.detailTrisAt + (triBase + i) * DETAIL_TRI_BYTES;
      for (let k = 0; k < 3; k++)
        if ((tile.bytes[triangle + k] as number) >= known)
          return `a height triangle of polygon ${poly} has an unknown corner`;
    }
  }
  return undefined;
}

/**
 * Detour finds polygons by the boxes of this tree. A leaf stores its polygon; an inner node stores, negated,
 * how many nodes to skip if its box is missed. One empty node may follow the root's nodes.
 */
function checkTree(tile: Tile): string | undefined {
  const at = (node: number) => tile.bvTreeAt + node * BV_NODE_BYTES;
  const index = (node: number) => tile.i32[at(node) / 4 + 3] as number;
  const found = new Uint8Array(tile.groundCount);
  const parents: { readonly node: number; readonly end: number }[] = [];
  for (let node = 0; node < tile.bvNodeCount; node++) {
    const own = index(node);
    if (own >= tile.groundCount || node - own > tile.bvNodeCount)
      return `bounding volume ${node} points outside the tile`;
    while (parents.length > 0 && (parents.at(-1)?.end ?? 0) <= node) parents.pop();
    const parent = parents.at(-1);
    if (parent === undefined && node > 0) continue;
    if (parent !== undefined && !isBoxWithin(tile, at(node), at(parent.node)))
      return `bounding volume ${node} exceeds its parent's box`;
    if (own < 0) parents.push({ node, end: node - own });
    else if (isPolygonWithin(tile, own, at(node))) found[own] = 1;
    else return `bounding volume ${node} does not contain its polygon`;
  }
  if (tile.bvNodeCount > 0 && found.includes(0)) return "a polygon has no bounding volume";
  return undefined;
}

/** Whether a box lies within another. A box is six 16-bit numbers: minimum corner, maximum corner. */
function isBoxWithin(tile: Tile, inner: number, outer: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const value = (box: number, k: number) => tile.u16[box / 2 + k] as number;
    if (value(inner, axis) < value(outer, axis)) return false;
    if (value(inner, axis + 3) > value(outer, axis + 3)) return false;
  }
  return true;
}

function isPolygonWithin(tile: Tile, poly: number, box: number): boolean {
  const quant = tile.f32[HEADER.bvQuantFactor / 4] as number;
  const climb = tile.f32[HEADER.walkableClimb / 4] as number;
  for (let i = 0; i < cornerCount(tile, poly); i++) {
    for (let axis = 0; axis < 3; axis++) {
      const value = tile.f32[HEADER_BYTES / 4 + 3 * corner(tile, poly, i) + axis] as number;
      const low = tile.f32[HEADER.boundsMin / 4 + axis] as number;
      const cell = Math.min(65_535, Math.max(0, (value - low) * quant));
      // The boxes are rounded, and their heights are those of the floor, which corners miss by up to one
      // climb.
      const slack = 2 + (axis === 1 ? (climb + 0.5) * quant : 0);
      if ((tile.u16[box / 2 + axis] as number) > cell + slack) return false;
      if ((tile.u16[box / 2 + axis + 3] as number) < cell - slack) return false;
    }
  }
  return true;
}

function checkOffMesh(tile: Tile): string | undefined {
  for (let i = 0; i < tile.polyCount - tile.groundCount; i++) {
    const at = tile.offMeshAt + i * OFF_MESH_BYTES;
    for (let k = 0; k < 7; k++)
      if (!(Math.abs(tile.f32[at / 4 + k] as number) <= MAX_COORDINATE_M))
        return `off-mesh connection ${i} has no position`;
    const poly = tile.u16[at / 2 + 14] as number;
    if (poly < tile.groundCount || poly >= tile.polyCount)
      return `off-mesh connection ${i} has no polygon`;
  }
  return undefined;
}

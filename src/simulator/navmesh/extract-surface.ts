import { cutPolygon } from "./cut-polygon.js";
import type { DetourMesh } from "./detour-mesh.js";
import {
  corner,
  cornerCount,
  EXTERNAL,
  HEADER,
  HEADER_BYTES,
  POLY,
  POLY_BYTES,
  type Tile,
} from "./tile.js";
import { eachPolygon, type Topology } from "./topology.js";

/**
 * The walkable surface of a scene as plain data: convex polygons joined along edges, as built by Recast.
 * Storeys are parts of one surface, joined by stairs if there are any.
 */
export interface WalkableSurface {
  /** x, y, z of each vertex, metres, y up. */
  readonly vertices: Float32Array;
  readonly polygons: readonly SurfacePolygon[];
}

export interface SurfacePolygon {
  /** Three to six indices of vertices, in order around the polygon. */
  readonly corners: readonly number[];
  /**
   * The polygon across the edge from `corners[i]` to `corners[i + 1]`; -1 where the surface ends. An edge
   * has at most one neighbour.
   */
  readonly neighbours: readonly number[];
}

/** Points of two tiles that are closer than this on the ground are merged. */
const SAME_M = 1e-2;

/** A piece of a polygon of the mesh; usually the whole polygon. */
interface Piece {
  readonly polygon: number;
  readonly corners: readonly number[];
}

/**
 * The walkable polygons of all tiles as one surface. At a tile border, an edge may face several edges of the
 * other tile; it is cut at their ends, so that each part has one neighbour.
 */
export function extractSurface(mesh: DetourMesh, topology: Topology): WalkableSurface {
  const climb = mesh.tiles[0]?.f32[HEADER.walkableClimb / 4] ?? 0;
  const vertices = new Vertices(mesh.tiles.length > 1, climb);
  const pieces: Piece[] = [];
  eachPolygon(mesh, (polygon, tile, poly) => {
    if ((topology.island[polygon] as number) < 0) return;
    const corners = outline(mesh, topology, vertices, { polygon, tile, poly });
    for (const part of cutPolygon(corners, (vertex) => vertices.ground(vertex)))
      pieces.push({ polygon, corners: part });
  });
  return { vertices: vertices.all(), polygons: join(pieces, topology) };
}

interface Polygon {
  readonly polygon: number;
  readonly tile: Tile;
  readonly poly: number;
}

/** A polygon's corners, including those that the neighbouring tile adds on its edges. */
function outline(mesh: DetourMesh, topology: Topology, vertices: Vertices, own: Polygon): number[] {
  const { tile, poly, polygon } = own;
  const count = cornerCount(tile, poly);
  const out: number[] = [];
  for (let i = 0; i < count; i++) {
    const a = point(tile, poly, i);
    const b = point(tile, poly, (i + 1) % count);
    out.push(vertices.add(a));
    if (!isExternal(tile, poly, i)) continue;
    const shares: number[] = [];
    for (const link of topology.links[polygon] ?? []) {
      if (link.edge !== i) continue;
      for (const end of facing(mesh, topology, polygon, link.polygon)) {
        const share = shareAlong(a, b, end);
        if (share !== undefined) shares.push(share);
      }
    }
    shares.sort((p, q) => p - q);
    for (const share of shares) {
      const vertex = vertices.add([
        a[0] + share * (b[0] - a[0]),
        a[1] + share * (b[1] - a[1]),
        a[2] + share * (b[2] - a[2]),
      ]);
      if (vertex !== out.at(-1)) out.push(vertex);
    }
  }
  return out.filter((vertex, i) => vertex !== out[(i + 1) % out.length]);
}

type Point = readonly [x: number, y: number, z: number];

/** The ends of those edges of `next` that link it to `polygon`. */
function facing(mesh: DetourMesh, topology: Topology, polygon: number, next: number): Point[] {
  const { tile, poly } = mesh.locate(next);
  const count = cornerCount(tile, poly);
  const out: Point[] = [];
  for (const link of topology.links[next] ?? [])
    if (link.polygon === polygon)
      out.push(point(tile, poly, link.edge), point(tile, poly, (link.edge + 1) % count));
  return out;
}

/**
 * Relative position of the point between a and b on the ground; undefined at the ends, outside and off the
 * line.
 */
function shareAlong(a: Point, b: Point, p: Point): number | undefined {
  const dx = b[0] - a[0];
  const dz = b[2] - a[2];
  const length = Math.sqrt(dx * dx + dz * dz);
  const along = ((p[0] - a[0]) * dx + (p[2] - a[2]) * dz) / length;
  const aside = ((p[0] - a[0]) * dz - (p[2] - a[2]) * dx) / length;
  return Math.abs(aside) <= SAME_M && along > SAME_M && along < length - SAME_M
    ? along / length
    : undefined;
}

function point(tile: Tile, poly: number, index: number): Point {
  const at = HEADER_BYTES / 4 + 3 * corner(tile, poly, index);
  return [tile.f32[at] as number, tile.f32[at + 1] as number, tile.f32[at + 2] as number];
}

function isExternal(tile: Tile, poly: number, edge: number): boolean {
  const at = (tile.polysAt + poly * POLY_BYTES + POLY.neighbours) / 2 + edge;
  return ((tile.u16[at] as number) & EXTERNAL) !== 0;
}

/** Pieces are neighbours if they share an edge in opposite directions and Detour links them. */
function join(pieces: readonly Piece[], topology: Topology): SurfacePolygon[] {
  const byEdge = new Map<string, number[]>();
  const edgeOf = ({ corners }: Piece, i: number): [number, number] => [
    corners[i] as number,
    corners[(i + 1) % corners.length] as number,
  ];
  pieces.forEach((piece, index) => {
    for (let i = 0; i < piece.corners.length; i++) {
      const key = edgeOf(piece, i).join();
      const list = byEdge.get(key);
      if (list === undefined) byEdge.set(key, [index]);
      else list.push(index);
    }
  });
  const linked = (a: number, b: number): boolean =>
    a === b || (topology.links[a] ?? []).some(({ polygon }) => polygon === b);
  return pieces.map((piece) => {
    const neighbours = piece.corners.map((_, i) => {
      const [from, to] = edgeOf(piece, i);
      const others = byEdge.get(`${to},${from}`) ?? [];
      return others.find((other) => linked(piece.polygon, (pieces[other] as Piece).polygon)) ?? -1;
    });
    return { corners: piece.corners, neighbours };
  });
}

/** Deduplicated vertices. */
class Vertices {
  readonly #numbers: number[] = [];
  readonly #cells = new Map<string, number[]>();
  readonly #climb: number;

  /** With `merge`, points shared by tiles become one although rounding and heights differ slightly. */
  constructor(
    private readonly merge: boolean,
    climb: number,
  ) {
    this.#climb = Math.max(climb, SAME_M);
  }

  add(p: Point): number {
    const reach = this.merge ? 1 : 0;
    const column = Math.floor(p[0] / SAME_M);
    const row = Math.floor(p[2] / SAME_M);
    for (let i = -reach; i <= reach; i++)
      for (let j = -reach; j <= reach; j++)
        for (const vertex of this.#cells.get(`${column + i},${row + j}`) ?? [])
          if (this.#isSame(vertex, p)) return vertex;
    const vertex = this.#numbers.length / 3;
    this.#numbers.push(p[0], p[1], p[2]);
    const key = `${column},${row}`;
    const cell = this.#cells.get(key);
    if (cell === undefined) this.#cells.set(key, [vertex]);
    else cell.push(vertex);
    return vertex;
  }

  #isSame(vertex: number, p: Point): boolean {
    const [x, y, z] = this.#numbers.slice(3 * vertex, 3 * vertex + 3) as [number, number, number];
    if (!this.merge) return x === p[0] && y === p[1] && z === p[2];
    return (
      Math.abs(x - p[0]) < SAME_M / 2 &&
      Math.abs(z - p[2]) < SAME_M / 2 &&
      Math.abs(y - p[1]) <= this.#climb
    );
  }

  ground(vertex: number): readonly [x: number, z: number] {
    return [this.#numbers[3 * vertex] as number, this.#numbers[3 * vertex + 2] as number];
  }

  all(): Float32Array {
    return Float32Array.from(this.#numbers);
  }
}

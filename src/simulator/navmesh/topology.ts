import type { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { type DetourMesh, startsOf } from "./detour-mesh.js";
import {
  corner,
  cornerCount,
  eachTriangle,
  HEADER_BYTES,
  LINK_BYTES,
  NO_LINK,
  POLY,
  POLY_BYTES,
  polyFlags,
  type Tile,
  triangleArea,
  WALK,
} from "./tile.js";

/** A link from one polygon over one of its edges. */
export interface Link {
  readonly edge: number;
  readonly polygon: number;
}

/** Connected components and areas of the polygons, computed once from the tiles. */
export class Topology {
  /** Connected component of each polygon; -1 if not walkable. The largest is 0. */
  readonly island: Int32Array;
  readonly islandAreaM2: readonly number[];
  readonly areaM2: number;
  readonly min: Vec3;
  readonly max: Vec3;
  readonly links: readonly (readonly Link[])[];
  /** Nine numbers per triangle, sorted by island. */
  readonly #triangles: Float32Array;
  /** Total area of the triangles up to and including each one. */
  readonly #areaUpTo: Float64Array;
  /** First triangle of each island, followed by the number of triangles. */
  readonly #firstTriangle: readonly number[];

  constructor(mesh: DetourMesh) {
    const walkable = new Uint8Array(mesh.polygonCount);
    eachPolygon(mesh, (polygon, tile, poly) => {
      walkable[polygon] = (polyFlags(tile, poly) & WALK) !== 0 ? 1 : 0;
    });
    this.links = readLinks(mesh, walkable);
    const found = components(this.links, walkable);
    const { triangles, counts, areas } = collect(mesh, found);

    const order = areas
      .map((_, i) => i)
      .sort((a, b) => (areas[b] as number) - (areas[a] as number));
    const rank = new Int32Array(areas.length);
    order.forEach((island, i) => {
      rank[island] = i;
    });
    this.island = found.island.map((island) => (island < 0 ? -1 : (rank[island] as number)));
    this.islandAreaM2 = order.map((island) => areas[island] as number);

    const first = startsOf(order.map((island) => counts[island] as number));
    const count = first.at(-1) ?? 0;
    this.#firstTriangle = first;
    this.#triangles = new Float32Array(count * 9);
    order.forEach((island, i) => {
      this.#triangles.set(triangles[island] as number[], (first[i] as number) * 9);
    });
    this.#areaUpTo = new Float64Array(count);
    let area = 0;
    for (let i = 0; i < count; i++) {
      area += triangleArea(this.#triangles, 9 * i, 9 * i + 3, 9 * i + 6);
      this.#areaUpTo[i] = area;
    }
    this.areaM2 = area;
    [this.min, this.max] = extent(this.#triangles);
  }

  get islandCount(): number {
    return this.islandAreaM2.length;
  }

  /** A random point, uniform over the area of one island or of all. Draws three random numbers. */
  randomPoint(random: Random, island: number | undefined): Vec3 {
    const from = island === undefined ? 0 : (this.#firstTriangle[island] as number);
    const to =
      island === undefined ? this.#areaUpTo.length : (this.#firstTriangle[island + 1] as number);
    const low = from === 0 ? 0 : (this.#areaUpTo[from - 1] as number);
    const high = this.#areaUpTo[to - 1] as number;
    const wanted = low + random.uniform() * (high - low);
    let left = from;
    let right = to - 1;
    while (left < right) {
      const middle = (left + right) >> 1;
      if ((this.#areaUpTo[middle] as number) > wanted) right = middle;
      else left = middle + 1;
    }
    // The square root makes the point uniform over the triangle (Turk, Graphics Gems, 1990).
    const s = Math.sqrt(random.uniform());
    const t = random.uniform();
    const at = (axis: number) => {
      const i = 9 * left + axis;
      const [a, b, c] = [
        this.#triangles[i],
        this.#triangles[i + 3],
        this.#triangles[i + 6],
      ] as number[];
      return (1 - s) * (a as number) + s * (1 - t) * (b as number) + s * t * (c as number);
    };
    return [at(0), at(1), at(2)];
  }
}

export function eachPolygon(
  mesh: DetourMesh,
  visit: (polygon: number, tile: Tile, poly: number) => void,
): void {
  mesh.tiles.forEach((tile, i) => {
    for (let poly = 0; poly < tile.groundCount; poly++)
      visit((mesh.firstPolygon[i] as number) + poly, tile, poly);
  });
}

/** The mean of a polygon's corners, which lies inside because the polygon is convex. */
export function middleOf(tile: Tile, poly: number): Vec3 {
  const corners = cornerCount(tile, poly);
  const sum = [0, 0, 0];
  for (let i = 0; i < corners; i++)
    for (let axis = 0; axis < 3; axis++)
      sum[axis] =
        (sum[axis] as number) +
        (tile.f32[HEADER_BYTES / 4 + 3 * corner(tile, poly, i) + axis] as number);
  const [x, y, z] = sum as [number, number, number];
  return [x / corners, y / corners, z / corners];
}

/** Detour's own links, including those across tiles, between walkable polygons. */
function readLinks(mesh: DetourMesh, walkable: Uint8Array): Link[][] {
  const out: Link[][] = Array.from({ length: mesh.polygonCount }, () => []);
  eachPolygon(mesh, (polygon, tile, poly) => {
    if (walkable[polygon] === 0) return;
    let link = tile.u32[(tile.polysAt + poly * POLY_BYTES + POLY.firstLink) / 4] as number;
    while (link !== NO_LINK) {
      const at = tile.linksAt + link * LINK_BYTES;
      const next = mesh.polygonOf(tile.u32[at / 4] as number);
      if (walkable[next] === 1)
        out[polygon]?.push({ edge: tile.bytes[at + 8] as number, polygon: next });
      link = tile.u32[at / 4 + 1] as number;
    }
  });
  return out;
}

interface Components {
  readonly island: Int32Array;
  readonly count: number;
}

function components(links: readonly (readonly Link[])[], walkable: Uint8Array): Components {
  const island = new Int32Array(walkable.length).fill(-1);
  let count = 0;
  for (let start = 0; start < walkable.length; start++) {
    if (walkable[start] === 0 || island[start] !== -1) continue;
    const open = [start];
    island[start] = count;
    for (let polygon = open.pop(); polygon !== undefined; polygon = open.pop()) {
      for (const link of links[polygon] ?? []) {
        if (island[link.polygon] !== -1) continue;
        island[link.polygon] = count;
        open.push(link.polygon);
      }
    }
    count++;
  }
  return { island, count };
}

function collect(mesh: DetourMesh, { island, count }: Components) {
  const triangles: number[][] = Array.from({ length: count }, () => []);
  const areas = new Array<number>(count).fill(0);
  eachPolygon(mesh, (polygon, tile, poly) => {
    const own = island[polygon] as number;
    if (own < 0) return;
    const list = triangles[own] as number[];
    eachTriangle(tile, poly, (a, b, c) => {
      areas[own] = (areas[own] as number) + triangleArea(tile.f32, a, b, c);
      for (const at of [a, b, c])
        list.push(tile.f32[at] as number, tile.f32[at + 1] as number, tile.f32[at + 2] as number);
    });
  });
  return { triangles, areas, counts: triangles.map((list) => list.length / 9) };
}

function extent(triangles: Float32Array): [min: Vec3, max: Vec3] {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < triangles.length; i++) {
    const axis = (i % 3) as 0 | 1 | 2;
    min[axis] = Math.min(min[axis], triangles[i] as number);
    max[axis] = Math.max(max[axis], triangles[i] as number);
  }
  return [min, max];
}

import { distance3, type Vec3 } from "../../core/math/vec3.js";
import type { WalkableSurface } from "./extract-surface.js";

/** A point that a path may turn at. */
interface Node {
  readonly polygon: number;
  readonly point: Vec3;
  readonly near: Node[];
  cost: number;
  parent: Node | undefined;
  closed: boolean;
  /** The line of sight to the parent has been checked. */
  seen: boolean;
}

/**
 * A reference for path lengths that shares no code with Detour: any-angle search (Lazy Theta*: Nash, Koenig,
 * Tovey, AAAI 2010) over a fine grid on the surface and the corners of its border, then string pulling by
 * line of sight. Its paths stay on the polygons, so none is shorter than the shortest path; they exceed it by
 * a few tenths of a per cent.
 */
export class AnyAngleReference {
  readonly #surface: WalkableSurface;
  readonly #spacing: number;
  readonly #nodes: Node[] = [];
  readonly #buckets = new Map<string, Node[]>();

  constructor(surface: WalkableSurface, spacing: number) {
    this.#surface = surface;
    this.#spacing = spacing;
    surface.polygons.forEach((_, polygon) => {
      this.#addGrid(polygon);
      this.#addCorners(polygon);
    });
    for (const node of this.#nodes)
      for (const other of this.#around(node.point))
        if (other !== node && this.#sees(node, other)) node.near.push(other);
  }

  get nodeCount(): number {
    return this.#nodes.length;
  }

  /** Path lengths from one point to many; undefined if no path is found. */
  distances(from: Vec3, targets: readonly Vec3[]): (number | undefined)[] {
    const start = this.#place(from);
    if (start === undefined) return targets.map(() => undefined);
    this.#search(start);
    return targets.map((target) => {
      const goal = this.#place(target);
      if (goal === undefined) return undefined;
      if (this.#sees(start, goal)) return distance3(start.point, goal.point);
      let best: Node[] | undefined;
      let least = Infinity;
      for (const last of this.#around(goal.point)) {
        if (last.cost === Infinity || !this.#sees(last, goal)) continue;
        const cost = last.cost + distance3(last.point, goal.point);
        if (cost < least) {
          least = cost;
          best = chain(last);
        }
      }
      return best === undefined ? undefined : this.#pulled([...best, goal]);
    });
  }

  #search(start: Node): void {
    for (const node of this.#nodes) {
      node.cost = Infinity;
      node.parent = undefined;
      node.closed = false;
      node.seen = false;
    }
    start.cost = 0;
    const open = new Heap();
    for (const next of this.#around(start.point))
      if (this.#sees(start, next)) reach(next, start, open);
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.closed) continue;
      if (!node.seen && !this.#sees(node.parent as Node, node)) {
        // The line of sight to the assumed parent is blocked: use the best settled neighbour instead.
        node.cost = Infinity;
        for (const other of node.near) if (other.closed) reach(node, other, open);
        if (this.#sees(start, node)) reach(node, start, open);
        node.seen = true;
        continue;
      }
      node.closed = true;
      for (const next of node.near) if (!next.closed) reach(next, node.parent as Node, open);
    }
  }

  /** Removes every unnecessary turn, repeatedly, and returns the length. */
  #pulled(path: Node[]): number {
    let points = path;
    for (let round = 0; round < 3; round++) {
      const kept: Node[] = [points[0] as Node];
      for (let i = 0; i < points.length - 1; ) {
        let j = points.length - 1;
        while (j > i + 1 && !this.#sees(points[i] as Node, points[j] as Node)) j--;
        kept.push(points[j] as Node);
        i = j;
      }
      points = kept;
    }
    let sum = 0;
    for (let i = 1; i < points.length; i++)
      sum += distance3((points[i - 1] as Node).point, (points[i] as Node).point);
    return sum;
  }

  #place(point: Vec3): Node | undefined {
    let best: Node | undefined;
    this.#surface.polygons.forEach((_, polygon) => {
      if (!this.#holds(polygon, point[0], point[2])) return;
      const off = Math.abs(this.#height(polygon, point[0], point[2]) - point[1]);
      if (best === undefined || off < best.cost) best = { ...newNode(polygon, point), cost: off };
    });
    if (best !== undefined) best.cost = 0;
    return best;
  }

  #addGrid(polygon: number): void {
    const corners = this.#corners(polygon);
    const step = this.#spacing;
    // The offset keeps samples off the voxel grid, because polygon edges lie on its lines.
    const first = (low: number) => (Math.floor(low / step) + 0.4142) * step;
    const xs = corners.map(([x]) => x);
    const zs = corners.map(([, , z]) => z);
    for (let x = first(Math.min(...xs)); x < Math.max(...xs); x += step)
      for (let z = first(Math.min(...zs)); z < Math.max(...zs); z += step)
        if (this.#holds(polygon, x, z)) this.#add(polygon, [x, this.#height(polygon, x, z), z]);
  }

  #addCorners(polygon: number): void {
    const corners = this.#corners(polygon);
    const { neighbours } = this.#surface.polygons[polygon] as WalkableSurface["polygons"][number];
    const middle = [0, 1, 2].map(
      (axis) => corners.reduce((sum, c) => sum + (c[axis] as number), 0) / corners.length,
    ) as [number, number, number];
    corners.forEach((corner, i) => {
      const before = neighbours[(i + corners.length - 1) % corners.length];
      if (neighbours[i] !== -1 && before !== -1) return;
      const share = 1e-3 / Math.max(1e-3, distance3(corner, middle));
      const inside = [0, 1, 2].map(
        (axis) =>
          (corner[axis] as number) + share * ((middle[axis] as number) - (corner[axis] as number)),
      ) as [number, number, number];
      this.#add(polygon, inside);
    });
  }

  #add(polygon: number, point: Vec3): void {
    const node = newNode(polygon, point);
    this.#nodes.push(node);
    const key = this.#key(point[0], point[2], 0, 0);
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) this.#buckets.set(key, [node]);
    else bucket.push(node);
  }

  #key(x: number, z: number, dx: number, dz: number): string {
    return `${Math.floor(x / this.#spacing) + dx},${Math.floor(z / this.#spacing) + dz}`;
  }

  #around(point: Vec3): Node[] {
    const out: Node[] = [];
    for (let dx = -1; dx <= 1; dx++)
      for (let dz = -1; dz <= 1; dz++)
        out.push(...(this.#buckets.get(this.#key(point[0], point[2], dx, dz)) ?? []));
    return out;
  }

  #corners(polygon: number): Vec3[] {
    const { vertices, polygons } = this.#surface;
    return (polygons[polygon]?.corners ?? []).map(
      (v): Vec3 => [
        vertices[3 * v] as number,
        vertices[3 * v + 1] as number,
        vertices[3 * v + 2] as number,
      ],
    );
  }

  #holds(polygon: number, x: number, z: number): boolean {
    return this.#exit(polygon, x, z, x, z) === undefined;
  }

  /** Height on the triangle fan around the first corner. */
  #height(polygon: number, x: number, z: number): number {
    const corners = this.#corners(polygon);
    const a = corners[0] as Vec3;
    let best = a[1];
    let outside = Infinity;
    for (let i = 2; i < corners.length; i++) {
      const b = corners[i - 1] as Vec3;
      const c = corners[i] as Vec3;
      const whole = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
      if (Math.abs(whole) < 1e-9) continue;
      const v = ((x - a[0]) * (c[2] - a[2]) - (z - a[2]) * (c[0] - a[0])) / whole;
      const w = ((b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0])) / whole;
      const off = Math.max(0, -v, -w, v + w - 1);
      if (off >= outside) continue;
      outside = off;
      best = a[1] + v * (b[1] - a[1]) + w * (c[1] - a[1]);
    }
    return best;
  }

  /** Line of sight: the straight line crosses only shared edges and ends in the polygon of `to`. */
  #sees(from: Node, to: Node): boolean {
    const [x, , z] = from.point;
    const [tx, , tz] = to.point;
    let polygon = from.polygon;
    for (let i = 0; i < 1000; i++) {
      if (polygon === to.polygon) return true;
      const edge = this.#exit(polygon, x, z, tx, tz);
      if (edge === undefined) return false;
      polygon = this.#surface.polygons[polygon]?.neighbours[edge] ?? -1;
      if (polygon < 0) return false;
    }
    return false;
  }

  /** The edge over which a line leaves a polygon; undefined if the line ends inside. */
  #exit(polygon: number, x: number, z: number, tx: number, tz: number): number | undefined {
    const { vertices, polygons } = this.#surface;
    const corners = polygons[polygon]?.corners ?? [];
    const turn = this.#turn(polygon);
    let first = Infinity;
    let edge: number | undefined;
    for (let i = 0; i < corners.length; i++) {
      const a = 3 * (corners[i] as number);
      const b = 3 * (corners[(i + 1) % corners.length] as number);
      const ax = vertices[a] as number;
      const az = vertices[a + 2] as number;
      const ex = (vertices[b] as number) - ax;
      const ez = (vertices[b + 2] as number) - az;
      const end = turn * (ex * (tz - az) - ez * (tx - ax));
      if (end >= 0) continue;
      const start = turn * (ex * (z - az) - ez * (x - ax));
      const at = start / (start - end);
      if (!(at < first)) continue;
      first = at;
      edge = i;
    }
    if (x === tx && z === tz) return edge === undefined && first === Infinity ? undefined : 0;
    return edge;
  }

  readonly #turns: number[] = [];

  /** Winding of the corners: 1 or -1. */
  #turn(polygon: number): number {
    const known = this.#turns[polygon];
    if (known !== undefined) return known;
    const corners = this.#corners(polygon);
    let area = 0;
    corners.forEach((a, i) => {
      const b = corners[(i + 1) % corners.length] as Vec3;
      area += a[0] * b[2] - a[2] * b[0];
    });
    this.#turns[polygon] = area > 0 ? 1 : -1;
    return area > 0 ? 1 : -1;
  }
}

function newNode(polygon: number, point: Vec3): Node {
  return {
    polygon,
    point,
    near: [],
    cost: Infinity,
    parent: undefined,
    closed: false,
    seen: false,
  };
}

function reach(node: Node, parent: Node, open: Heap): void {
  const cost = parent.cost + distance3(parent.point, node.point);
  if (cost >= node.cost) return;
  node.cost = cost;
  node.parent = parent;
  node.seen = false;
  open.push(node, cost);
}

function chain(last: Node): Node[] {
  const out: Node[] = [];
  for (let node: Node | undefined = last; node !== undefined; node = node.parent) out.unshift(node);
  return out;
}

/** A binary heap. Stale entries of nodes reached more cheaply since are skipped because they are `closed`. */
class Heap {
  readonly #items: { readonly node: Node; readonly cost: number }[] = [];

  push(node: Node, cost: number): void {
    const items = this.#items;
    let i = items.push({ node, cost }) - 1;
    while (i > 0) {
      const up = (i - 1) >> 1;
      if ((items[up]?.cost ?? 0) <= cost) break;
      [items[i], items[up]] = [items[up] as (typeof items)[0], items[i] as (typeof items)[0]];
      i = up;
    }
  }

  pop(): Node | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined || items.length === 0) return top?.node;
    items[0] = last;
    for (let i = 0; ; ) {
      let least = i;
      for (const child of [2 * i + 1, 2 * i + 2])
        if (child < items.length && (items[child]?.cost ?? 0) < (items[least]?.cost ?? 0))
          least = child;
      if (least === i) return top.node;
      [items[i], items[least]] = [items[least] as (typeof items)[0], items[i] as (typeof items)[0]];
      i = least;
    }
  }
}

import { type Arrival, type Found, Goals } from "./goals.js";
import { MinHeap } from "./heap.js";
import type { SurfacePoint } from "./locate.js";
import { nextEdge, previousEdge, type TriangleMesh } from "./mesh.js";
import { clamp, crossing, onLeftEdge, onRightEdge, span, throughEdge } from "./unfold.js";
import { SIDE_END, SIDE_NONE, SIDE_START, WindowPool } from "./windows.js";

/**
 * Metres by which another way must be shorter before a window is dropped for it. Rounding in the unfoldings,
 * and the height that triangles without area are given, stay below it; so a window of a shortest way is
 * never dropped for a way of equal length.
 */
const DROP_M = 1e-7;

/** Metres; what could improve the answer by less is not looked at. */
const STOP_M = 1e-12;

/** Share of an edge's length below which a window is empty. */
const EMPTY_SHARE = 1e-13;

/** Radians added on both sides of what a root can see: more rays than needed are only work, fewer would be wrong. */
const WEDGE_SLACK = 1e-7;

/**
 * Shortest ways on a triangulated surface with border, by continuous Dijkstra: windows (Mitchell, Mount,
 * Papadimitriou 1987) are carried from triangle to triangle by unfolding, best first by the root's
 * distance plus the straight way through the window to the goal, a lower bound (as Polyanya does in the
 * plane: Cui, Harabor, Grastien 2017). Windows that a vertex's distance beats are dropped (Xin and Wang
 * 2009). Ways bend only at the vertices `bends` marks; each becomes the root of new windows once.
 *
 * Vertex distances and the answer are always lengths of real ways: where a point lies outside a window's
 * rays the way bends at the window's end. So no point is missed that lies, by rounding, between two
 * windows that meet at a vertex.
 */
export class GeodesicSearch {
  readonly windows = new WindowPool();
  readonly #mesh: TriangleMesh;
  /** Windows as they are, vertices that become roots as their complement (~v). */
  readonly #queue = new MinHeap();
  readonly #distance: Float64Array;
  /** Radians in the vertex's fan of the direction from which its shortest way arrives. */
  readonly #angle: Float64Array;
  readonly #viaWindow: Int32Array;
  readonly #viaAt: Float64Array;
  readonly #viaRoot: Int32Array;
  readonly #opened: Uint8Array;
  readonly #goals: Goals;

  constructor(mesh: TriangleMesh) {
    this.#mesh = mesh;
    this.#distance = new Float64Array(mesh.vertexCount);
    this.#angle = new Float64Array(mesh.vertexCount);
    this.#viaWindow = new Int32Array(mesh.vertexCount);
    this.#viaAt = new Float64Array(mesh.vertexCount);
    this.#viaRoot = new Int32Array(mesh.vertexCount);
    this.#opened = new Uint8Array(mesh.vertexCount);
    this.#goals = new Goals(mesh, this.windows);
  }

  /** In the last search, of a vertex that is a root in it. */
  arrivalAt(vertex: number): Arrival {
    return {
      window: this.#viaWindow[vertex] as number,
      at: this.#viaAt[vertex] as number,
      root: this.#viaRoot[vertex] as number,
    };
  }

  /** The nearest of at least one goal; undefined when no way leads to any. */
  run(source: SurfacePoint, goals: readonly SurfacePoint[]): Found | undefined {
    this.#goals.reset(goals);
    this.#queue.clear();
    this.windows.clear();
    this.#distance.fill(Number.POSITIVE_INFINITY);
    this.#opened.fill(0);
    this.#start(source);
    while (this.#queue.size > 0 && this.#queue.leastKey < this.#goals.distance - STOP_M) {
      const next = this.#queue.pop();
      if (next >= 0) this.#spread(next);
      else this.#openRoot(~next);
    }
    return this.#goals.found;
  }

  #start(source: SurfacePoint): void {
    const { length, origin, angle, fanAngle } = this.#mesh;
    for (const { triangle, x, y, isOnEdge } of source.places) {
      this.#goals.meet(3 * triangle, x[0] as number, y[0] as number, 0, -1);
      for (let k = 0; k < 3; k++) {
        const h = 3 * triangle + k;
        const sx = x[k] as number;
        const sy = y[k] as number;
        const turn = (fanAngle[h] as number) + clamp(Math.atan2(sy, sx), 0, angle[h] as number);
        this.#reach(origin[h] as number, span(sx, sy, 0, 0), turn, -1, 0, -1);
        // From a point on the edge itself no ray crosses it: the triangle across is a place of its own.
        if (!isOnEdge[k]) this.#carry(h, 0, length[h] as number, sx, sy, 0, -1, -1, SIDE_NONE);
      }
    }
  }

  /** Takes a window one triangle on. */
  #spread(w: number): void {
    const { windows } = this;
    const { length, apexX, apexY } = this.#mesh;
    // Distances of vertices may have fallen since the window was made.
    if (this.#isBeaten(w)) return;
    const h = windows.edge[w] as number;
    const b0 = windows.start[w] as number;
    const b1 = windows.end[w] as number;
    const ix = windows.rootX[w] as number;
    const iy = windows.rootY[w] as number;
    const base = windows.rootDistance[w] as number;
    const root = windows.root[w] as number;
    const l = length[h] as number;
    const cx = apexX[h] as number;
    const cy = apexY[h] as number;
    // Where the line to the apex crosses the edge tells which rays pass on which side of the apex.
    const middle = crossing(ix, iy, cx, cy);
    this.#reachApex(w, h, clamp(middle, b0, b1));
    if (middle < b1) {
      const right = nextEdge(h);
      const size = length[right] as number;
      const from = size * onRightEdge(b1, ix, iy, l, cx, cy);
      const to = middle >= b0 ? size : size * onRightEdge(b0, ix, iy, l, cx, cy);
      const ux = (cx - l) / size;
      const uy = cy / size;
      const x = (ix - l) * ux + iy * uy;
      const y = ux * iy - uy * (ix - l);
      this.#carry(right, from, to, x, y, base, root, w, SIDE_END);
    }
    if (middle > b0) {
      const left = previousEdge(h);
      const size = length[left] as number;
      const from = middle <= b1 ? 0 : size * onLeftEdge(b1, ix, iy, cx, cy);
      const to = size * onLeftEdge(b0, ix, iy, cx, cy);
      const ux = -cx / size;
      const uy = -cy / size;
      const x = (ix - cx) * ux + (iy - cy) * uy;
      const y = ux * (iy - cy) - uy * (ix - cx);
      this.#carry(left, from, to, x, y, base, root, w, SIDE_START);
    }
  }

  /** Makes rays of the directions in which a shortest way can go on from a vertex. */
  #openRoot(v: number): void {
    if (this.#opened[v]) return;
    this.#opened[v] = 1;
    const { fanStart, fanCorners, fanAngle, angle, origin, length, totalAngle, onBorder } =
      this.#mesh;
    const base = this.#distance[v] as number;
    const total = totalAngle[v] as number;
    const turn = this.#angle[v] as number;
    const arriving = onBorder[v] ? clamp(turn, 0, total) : turn - total * Math.floor(turn / total);
    // At least half a turn from the arriving direction on either side; at the border one side is outside.
    const low = arriving + Math.PI - WEDGE_SLACK;
    const high = arriving - Math.PI + WEDGE_SLACK;
    const end = fanStart[v + 1] as number;
    for (let i = fanStart[v] as number; i < end; i++) {
      const c = fanCorners[i] as number;
      const far = nextEdge(c);
      const back = previousEdge(c);
      this.#goals.meet(c, 0, 0, base, v);
      const atFar = (fanAngle[far] as number) + (angle[far] as number);
      this.#reach(origin[far] as number, base + (length[c] as number), atFar, -1, 0, v);
      const atBack = fanAngle[back] as number;
      this.#reach(origin[back] as number, base + (length[back] as number), atBack, -1, 0, v);
      if (onBorder[v]) {
        this.#emit(c, 0, high, base, v);
        this.#emit(c, low, total, base, v);
      } else {
        this.#emit(c, low, high + total, base, v);
        this.#emit(c, low - total, high, base, v);
      }
    }
  }

  /** Rays from the corner of half-edge c between two directions, both as angles in its vertex's fan. */
  #emit(c: number, from: number, to: number, base: number, v: number): void {
    const { fanAngle, angle, length, apexX, apexY } = this.#mesh;
    const width = angle[c] as number;
    const low = Math.max(0, from - (fanAngle[c] as number));
    const high = Math.min(width, to - (fanAngle[c] as number));
    if (!(low < high)) return;
    const far = nextEdge(c);
    const near = length[c] as number;
    const other = length[previousEdge(c)] as number;
    const size = length[far] as number;
    const start = low <= 0 ? 0 : size * throughEdge(low, width, near, other);
    const end = high >= width ? size : size * throughEdge(high, width, near, other);
    const x = apexX[far] as number;
    this.#carry(far, start, end, x, apexY[far] as number, base, v, -1, SIDE_NONE);
  }

  /** Hands rays that leave a triangle through `from`..`to` of half-edge g, from a root at (x, y), to the triangle across. */
  #carry(
    g: number,
    from: number,
    to: number,
    x: number,
    y: number,
    base: number,
    root: number,
    parent: number,
    side: number,
  ): void {
    const { opposite, length, origin, fanAngle, angle } = this.#mesh;
    const h = opposite[g] as number;
    const l = length[g] as number;
    if (h < 0 || to - from <= EMPTY_SHARE * l) return;
    const { windows } = this;
    const w = windows.add();
    const b0 = l - to;
    const b1 = l - from;
    const ix = l - x;
    const iy = Math.min(0, -y);
    windows.edge[w] = h;
    windows.parent[w] = parent;
    windows.root[w] = root;
    windows.side[w] = side;
    windows.start[w] = b0;
    windows.end[w] = b1;
    windows.rootX[w] = ix;
    windows.rootY[w] = iy;
    windows.rootDistance[w] = base;
    if (this.#isBeaten(w)) {
      windows.dropLast();
      return;
    }
    // The ends' own vertices, on along the edge. Their arriving direction is the root's: a window that ends
    // at the vertex leaves no way along the edge.
    const next = nextEdge(h);
    const atStart = base + span(ix, iy, b0, 0) + b0;
    const atEnd = base + span(ix, iy, b1, 0) + (l - b1);
    if (atStart < (this.#distance[origin[h] as number] as number)) {
      const turn = (fanAngle[h] as number) - Math.atan2(-iy, ix);
      this.#reach(origin[h] as number, atStart, turn, w, b0, root);
    }
    if (atEnd < (this.#distance[origin[next] as number] as number)) {
      const turn = (fanAngle[next] as number) + (angle[next] as number) + Math.atan2(-iy, l - ix);
      this.#reach(origin[next] as number, atEnd, turn, w, b1, root);
    }
    this.#goals.meetThrough(w);
    const key = this.#goals.boundThrough(w);
    if (key < this.#goals.distance - STOP_M) this.#queue.push(key, w);
  }

  /** Whether each point of the window is reached on a shorter way past a corner of the triangle before it. */
  #isBeaten(w: number): boolean {
    const { windows } = this;
    const { opposite, length, origin, apexX, apexY } = this.#mesh;
    const h = windows.edge[w] as number;
    const l = length[h] as number;
    const b0 = windows.start[w] as number;
    const b1 = windows.end[w] as number;
    const ix = windows.rootX[w] as number;
    const iy = windows.rootY[w] as number;
    const base = (windows.rootDistance[w] as number) - DROP_M;
    const d0 = base + span(ix, iy, b0, 0);
    const d1 = base + span(ix, iy, b1, 0);
    if ((this.#distance[origin[h] as number] as number) + b1 < d1) return true;
    if ((this.#distance[origin[nextEdge(h)] as number] as number) + l - b0 < d0) return true;
    const side = windows.side[w] as number;
    if (side === SIDE_NONE) return false;
    // All rays cross the line from the corner behind the edge to the window's end on the side they came from.
    const g = opposite[h] as number;
    const behind = this.#distance[origin[previousEdge(g)] as number] as number;
    const x = l - (apexX[g] as number);
    const y = -(apexY[g] as number);
    return side === SIDE_START ? behind + span(x, y, b0, 0) < d0 : behind + span(x, y, b1, 0) < d1;
  }

  #reachApex(w: number, h: number, at: number): void {
    const { windows } = this;
    const { apexX, apexY, origin, fanAngle } = this.#mesh;
    const cx = apexX[h] as number;
    const cy = apexY[h] as number;
    const through = span(windows.rootX[w] as number, windows.rootY[w] as number, at, 0);
    const distance = (windows.rootDistance[w] as number) + through + span(at, 0, cx, cy);
    const corner = previousEdge(h);
    const v = origin[corner] as number;
    if (distance >= (this.#distance[v] as number)) return;
    const turn = Math.atan2(cy * at, cx * (cx - at) + cy * cy);
    const root = windows.root[w] as number;
    this.#reach(v, distance, (fanAngle[corner] as number) + turn, w, at, root);
  }

  #reach(v: number, distance: number, angle: number, w: number, at: number, root: number): void {
    if (distance >= (this.#distance[v] as number) || this.#opened[v]) return;
    this.#distance[v] = distance;
    this.#angle[v] = angle;
    this.#viaWindow[v] = w;
    this.#viaAt[v] = at;
    this.#viaRoot[v] = root;
    if (!this.#mesh.bends[v]) return;
    const key = distance + this.#goals.boundFrom(v);
    if (key < this.#goals.distance - STOP_M) this.#queue.push(key, ~v);
  }
}

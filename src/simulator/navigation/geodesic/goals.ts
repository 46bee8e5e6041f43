import { distance3, type Vec3 } from "../../../core/math/vec3.js";
import type { SurfacePoint, TrianglePlace } from "./locate.js";
import { nextEdge, type TriangleMesh } from "./mesh.js";
import { clamp, crossing, span } from "./unfold.js";
import type { WindowPool } from "./windows.js";

/** How a vertex or goal was reached: through a window, bending at `at` on its edge; or straight from a root. */
export interface Arrival {
  /** -1: straight from `root`. */
  readonly window: number;
  readonly at: number;
  /** The vertex that is the root; -1 for the query's source. */
  readonly root: number;
}

export interface Found {
  readonly distance: number;
  /** Which of the goals is the nearest. */
  readonly goal: number;
  readonly arrival: Arrival;
}

interface GoalPlace extends TrianglePlace {
  readonly goal: number;
  /** The next place in the same triangle, -1 after the last. */
  readonly next: number;
}

/** What a search looks for: where the goals lie, the nearest so far, and how near any can be. */
export class Goals {
  readonly #mesh: TriangleMesh;
  readonly #windows: WindowPool;
  /** The first of #places in each triangle, -1 where there is none. */
  readonly #first: Int32Array;
  #places: GoalPlace[] = [];
  /** All goals lie in the ball around #centre with radius #radius. */
  #centre: Vec3 = [0, 0, 0];
  #radius = 0;
  #found: Found | undefined;
  #distance = Number.POSITIVE_INFINITY;

  constructor(mesh: TriangleMesh, windows: WindowPool) {
    this.#mesh = mesh;
    this.#windows = windows;
    this.#first = new Int32Array(mesh.triangleCount).fill(-1);
  }

  /** The nearest goal so far. */
  get found(): Found | undefined {
    return this.#found;
  }

  /** Metres to the nearest goal so far; Infinity before any is found. */
  get distance(): number {
    return this.#distance;
  }

  /** Forgets the goals before and takes these, at least one. */
  reset(goals: readonly SurfacePoint[]): void {
    for (const { triangle } of this.#places) this.#first[triangle] = -1;
    this.#places = [];
    for (const [goal, { places }] of goals.entries()) {
      for (const place of places) {
        const next = this.#first[place.triangle] as number;
        this.#first[place.triangle] = this.#places.length;
        this.#places.push({ ...place, goal, next });
      }
    }
    this.#centre = centreOf(goals);
    this.#radius = 0;
    for (const { point } of goals) {
      this.#radius = Math.max(this.#radius, distance3(point, this.#centre));
    }
    this.#found = undefined;
    this.#distance = Number.POSITIVE_INFINITY;
  }

  /** Notes goals in the triangle of half-edge h, straight from the root at (x, y) in its frame. */
  meet(h: number, x: number, y: number, rootDistance: number, root: number): void {
    let i = this.#first[Math.floor(h / 3)] as number;
    while (i >= 0) {
      const place = this.#places[i] as GoalPlace;
      const k = h % 3;
      const distance = rootDistance + span(x, y, place.x[k] as number, place.y[k] as number);
      if (distance < this.#distance) this.#note(distance, place.goal, { window: -1, at: 0, root });
      i = place.next;
    }
  }

  /** Notes goals in the triangle a window leads into. */
  meetThrough(w: number): void {
    const windows = this.#windows;
    const h = windows.edge[w] as number;
    let i = this.#first[Math.floor(h / 3)] as number;
    while (i >= 0) {
      const place = this.#places[i] as GoalPlace;
      const x = place.x[h % 3] as number;
      const y = place.y[h % 3] as number;
      const ix = windows.rootX[w] as number;
      const iy = windows.rootY[w] as number;
      const crossed = crossing(ix, iy, x, y);
      const at = clamp(crossed, windows.start[w] as number, windows.end[w] as number);
      const through = span(ix, iy, at, 0) + span(at, 0, x, y);
      const distance = (windows.rootDistance[w] as number) + through;
      const root = windows.root[w] as number;
      if (distance < this.#distance) this.#note(distance, place.goal, { window: w, at, root });
      i = place.next;
    }
  }

  /** Metres from a vertex below which no goal can be. */
  boundFrom(v: number): number {
    const { positions } = this.#mesh;
    const dx = (positions[3 * v] as number) - this.#centre[0];
    const dy = (positions[3 * v + 1] as number) - this.#centre[1];
    const dz = (positions[3 * v + 2] as number) - this.#centre[2];
    return Math.max(0, Math.sqrt(dx * dx + dy * dy + dz * dz) - this.#radius);
  }

  /** Metres from the source below which no way through the window to a goal can be: straight through the air from the edge on. */
  boundThrough(w: number): number {
    const windows = this.#windows;
    const { positions, origin, length } = this.#mesh;
    const h = windows.edge[w] as number;
    const a = 3 * (origin[h] as number);
    const b = 3 * (origin[nextEdge(h)] as number);
    const ax = positions[a] as number;
    const ay = positions[a + 1] as number;
    const az = positions[a + 2] as number;
    const ox = this.#centre[0] - ax;
    const oy = this.#centre[1] - ay;
    const oz = this.#centre[2] - az;
    const dx = (positions[b] as number) - ax;
    const dy = (positions[b + 1] as number) - ay;
    const dz = (positions[b + 2] as number) - az;
    const l = length[h] as number;
    const along = (ox * dx + oy * dy + oz * dz) / l;
    // By the cross product: from squares, a goal close to the edge's line would be misplaced by 1e-8.
    const nx = oy * dz - oz * dy;
    const ny = oz * dx - ox * dz;
    const nz = ox * dy - oy * dx;
    const off = Math.sqrt(nx * nx + ny * ny + nz * nz) / l;
    const ix = windows.rootX[w] as number;
    const iy = windows.rootY[w] as number;
    const start = windows.start[w] as number;
    const end = windows.end[w] as number;
    const base = windows.rootDistance[w] as number;
    const at = clamp(crossing(ix, iy, along, off), start, end);
    const straight = base + span(ix, iy, at, 0) + span(at, 0, along, off) - this.#radius;
    if (this.#radius === 0) return straight;
    // Inside the ball the straight way says nothing, but the window itself must still be reached.
    return Math.max(straight, base + span(ix, iy, clamp(ix, start, end), 0));
  }

  #note(distance: number, goal: number, arrival: Arrival): void {
    this.#distance = distance;
    this.#found = { distance, goal, arrival };
  }
}

function centreOf(goals: readonly SurfacePoint[]): Vec3 {
  const centre = (axis: 0 | 1 | 2) => {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const { point } of goals) {
      low = Math.min(low, point[axis]);
      high = Math.max(high, point[axis]);
    }
    return low === high ? low : low + (high - low) / 2;
  };
  return [centre(0), centre(1), centre(2)];
}

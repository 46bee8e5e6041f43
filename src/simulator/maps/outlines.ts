import type { PlanPolygon, Point } from "./plan.js";

/** Corners less than a millimetre apart are merged, whatever their index. */
const GRID_M = 0.001;

/**
 * The outlines of the union of polygons, including holes, for the nonzero fill rule. Edges that two polygons
 * share in opposite directions cancel out. Every corner keeps as many edges in as out, so the remaining edges
 * always form closed rings.
 */
export function outlines(polygons: readonly PlanPolygon[]): Point[][] {
  const shared = new Edges();
  for (const { corners } of polygons) shared.addRing(corners);
  // Where a long edge meets two short ones, only its pieces can cancel out.
  const pieces = new Edges();
  const ends = shared.corners();
  for (const [from, to] of shared.all()) {
    const between = ends.filter((corner) => lies(corner, from, to));
    const along = between.sort((a, b) => squared(from, a) - squared(from, b));
    let at = from;
    for (const corner of [...along, to]) {
      pieces.add(at, corner);
      at = corner;
    }
  }
  return pieces.rings();
}

/** Directed edges by their ends, in insertion order. */
class Edges {
  readonly #points = new Map<string, Point>();
  readonly #next = new Map<string, string[]>();

  addRing(corners: readonly Point[]): void {
    let from = corners.at(-1) ?? [0, 0];
    for (const to of corners) {
      this.add(from, to);
      from = to;
    }
  }

  /** An edge and its reverse cancel out. */
  add(from: Point, to: Point): void {
    const [a, b] = [keyOf(from), keyOf(to)];
    if (a === b) return;
    const back = this.#next.get(b);
    const i = back?.indexOf(a) ?? -1;
    if (i !== -1) {
      back?.splice(i, 1);
      return;
    }
    this.#points.set(a, from).set(b, to);
    const list = this.#next.get(a);
    if (list) list.push(b);
    else this.#next.set(a, [b]);
  }

  corners(): Point[] {
    const starts = [...this.#next].filter(([, ends]) => ends.length > 0);
    return starts.map(([key]) => this.#point(key));
  }

  *all(): Generator<readonly [from: Point, to: Point]> {
    for (const [from, ends] of this.#next) {
      for (const to of ends) yield [this.#point(from), this.#point(to)];
    }
  }

  /** Removes all edges and returns them as rings. */
  rings(): Point[][] {
    const rings: Point[][] = [];
    for (const [start, ends] of this.#next) {
      while (ends.length > 0) {
        const ring: Point[] = [];
        let at = start;
        do {
          at = this.#next.get(at)?.pop() ?? start;
          ring.push(this.#point(at));
        } while (at !== start);
        rings.push(ring);
      }
    }
    return rings;
  }

  #point(key: string): Point {
    return this.#points.get(key) ?? [0, 0];
  }
}

function keyOf([x, z]: Point): string {
  return `${Math.round(x / GRID_M)} ${Math.round(z / GRID_M)}`;
}

/** True if the point is on the edge but not at either end. */
function lies(point: Point, from: Point, to: Point): boolean {
  const [dx, dz] = [to[0] - from[0], to[1] - from[1]];
  const [x, z] = [point[0] - from[0], point[1] - from[1]];
  const length = Math.sqrt(dx * dx + dz * dz);
  const along = (x * dx + z * dz) / length;
  return (
    along > GRID_M && along < length - GRID_M && Math.abs(x * dz - z * dx) / length < 2 * GRID_M
  );
}

function squared(a: Point, b: Point): number {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

import { RobotEvalError } from "../../../core/errors.js";

/**
 * A query gives up beyond this many windows (some seconds, 60 MB). Apartments need tens to hundreds,
 * rough terrain of 5,000 triangles about ten thousand.
 */
const MAX_WINDOWS = 1_000_000;

/** Which end of a window lies on the side its rays came from. */
export const SIDE_NONE = 0;
export const SIDE_START = 1;
export const SIDE_END = 2;

/**
 * Windows of one query, kept side by side in arrays. A window is the part from `start` to `end` of a
 * half-edge that one straight line each joins to a root, when the triangles between are laid flat. In
 * the half-edge's frame the root lies at (rootX, rootY), rootY <= 0, and the rays go into y > 0.
 */
export class WindowPool {
  edge = new Int32Array(0);
  /** The window whose rays these are, one triangle earlier; -1 for the first after a root. */
  parent = new Int32Array(0);
  /** The vertex that is the root; -1 for the query's source. */
  root = new Int32Array(0);
  side = new Uint8Array(0);
  start = new Float64Array(0);
  end = new Float64Array(0);
  rootX = new Float64Array(0);
  rootY = new Float64Array(0);
  /** Metres from the query's source to the root. */
  rootDistance = new Float64Array(0);
  readonly #limit: number;
  #size = 0;

  constructor(limit = MAX_WINDOWS) {
    this.#limit = limit;
  }

  clear(): void {
    this.#size = 0;
  }

  /** A free slot, for the caller to fill. */
  add(): number {
    if (this.#size === this.edge.length) this.#grow();
    return this.#size++;
  }

  /** Frees the slot taken last. */
  dropLast(): void {
    this.#size--;
  }

  #grow(): void {
    if (this.#size >= this.#limit) {
      throw new RobotEvalError(
        "geodesic_too_hard",
        `a shortest way on the surface was not found within ${this.#limit} windows`,
        { hint: "use the method detour for this scene, or build a coarser navmesh", exitCode: 1 },
      );
    }
    const size = Math.min(this.#limit, Math.max(4096, 2 * this.#size));
    this.edge = grown(this.edge, new Int32Array(size));
    this.parent = grown(this.parent, new Int32Array(size));
    this.root = grown(this.root, new Int32Array(size));
    this.side = grown(this.side, new Uint8Array(size));
    this.start = grown(this.start, new Float64Array(size));
    this.end = grown(this.end, new Float64Array(size));
    this.rootX = grown(this.rootX, new Float64Array(size));
    this.rootY = grown(this.rootY, new Float64Array(size));
    this.rootDistance = grown(this.rootDistance, new Float64Array(size));
  }
}

function grown<T extends Int32Array | Uint8Array | Float64Array>(old: T, into: T): T {
  into.set(old);
  return into;
}

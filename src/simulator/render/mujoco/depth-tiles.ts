import type { Samples } from "./samples.js";

/** Side of a tile in pixels. */
export const TILE = 8;
const SHIFT = Math.log2(TILE);
/** Depths from 0 to 1 are compared as whole numbers of this unit, because V8 allocates memory for others in calls. */
const STEPS = 2 ** 30;
/** Rounding of depths, in steps: what is nearer by less than this is not hidden. */
const TOLERANCE = 128;

/** A depth for `DepthTiles.hides`. */
export function depthSteps(depth: number): number {
  return ((depth * STEPS) | 0) + TOLERANCE;
}

/**
 * The farthest depth in each square tile of an image. What is farther than that in all tiles that it may cover is hidden,
 * so that neither its vertices nor its samples are computed.
 */
export class DepthTiles {
  #columns = 0;
  #rows = 0;
  #farthest = new Int32Array(0);
  /** 1 for tiles that were drawn into since `#farthest` was computed, which is then too far. */
  #isStale = new Uint8Array(0);

  /** Starts an image in which nothing hides anything. */
  clear(width: number, height: number): void {
    this.#columns = (width + TILE - 1) >> SHIFT;
    this.#rows = (height + TILE - 1) >> SHIFT;
    const count = this.#columns * this.#rows;
    if (this.#farthest.length !== count) {
      this.#farthest = new Int32Array(count);
      this.#isStale = new Uint8Array(count);
    } else {
      this.#farthest.fill(0);
      this.#isStale.fill(0);
    }
  }

  /** Notes that the depth in a rectangle of pixels may have changed. */
  touch(left: number, right: number, top: number, bottom: number): void {
    const stale = this.#isStale;
    const columns = this.#columns;
    for (let row = top >> SHIFT; row <= bottom >> SHIFT; row++) {
      const end = row * columns + (right >> SHIFT);
      for (let tile = row * columns + (left >> SHIFT); tile <= end; tile++) stale[tile] = 1;
    }
  }

  /** Computes the tiles of a rectangle of pixels that were drawn into. */
  refresh(image: Samples, left: number, right: number, top: number, bottom: number): void {
    const columns = this.#columns;
    for (let row = top >> SHIFT; row <= bottom >> SHIFT; row++) {
      for (let column = left >> SHIFT; column <= right >> SHIFT; column++) {
        if (this.#isStale[row * columns + column] === 1) this.#compute(image, column, row);
      }
    }
  }

  /**
   * Whether all that is not nearer than a depth is hidden in a rectangle of pixels, as far as the tiles are known. With
   * `image`, tiles that were drawn into are computed.
   *
   * @param depth from `depthSteps`
   */
  hides(
    depth: number,
    left: number,
    right: number,
    top: number,
    bottom: number,
    image?: Samples,
  ): boolean {
    const columns = this.#columns;
    const farthest = this.#farthest;
    for (let row = top >> SHIFT; row <= bottom >> SHIFT; row++) {
      for (let column = left >> SHIFT; column <= right >> SHIFT; column++) {
        const tile = row * columns + column;
        if (image && this.#isStale[tile] === 1) this.#compute(image, column, row);
        if ((farthest[tile] as number) <= depth) return false;
      }
    }
    return true;
  }

  #compute({ depth, width, height, samples }: Samples, column: number, row: number): void {
    const tile = row * this.#columns + column;
    const left = column << SHIFT;
    const pixels = Math.min(TILE, width - left);
    const bottom = Math.min((row + 1) << SHIFT, height);
    let farthest = 1;
    for (let y = row << SHIFT; y < bottom; y++) {
      const first = (y * width + left) * samples;
      const end = first + pixels * samples;
      for (let at = first; at < end; at++) {
        const z = depth[at] as number;
        if (z < farthest) farthest = z;
      }
    }
    this.#farthest[tile] = farthest * STEPS;
    this.#isStale[tile] = 0;
  }
}

import type { Holes } from "./holes.js";

/**
 * The visible surface of each pixel and its depth. Shading happens later, for visible surfaces only: a hidden
 * surface costs one comparison per pixel.
 *
 * A pixel belongs to a polygon if its centre lies inside; a centre exactly on an edge belongs to the polygon
 * on its right, or below. Two polygons that share an edge compute it from the same two points in the same
 * order, hence to the same bit: no pixel between them is missed or drawn twice.
 */
export class Visibility {
  width = 0;
  height = 0;
  /** 1 / depth: linear across the screen, unlike depth itself. Larger is nearer. */
  inverseDepth = new Float32Array(0);
  /** The number of the surface; 0 for background. */
  surface = new Int32Array(0);
  /** First column of the polygon in each row, and the column after its last. */
  #left = new Int32Array(0);
  #right = new Int32Array(0);

  /** Clears the image. `farM` is the far plane. */
  clear(width: number, height: number, farM: number): void {
    const size = width * height;
    if (this.surface.length < size) {
      this.inverseDepth = new Float32Array(size);
      this.surface = new Int32Array(size);
    }
    if (this.#left.length < height) {
      this.#left = new Int32Array(height);
      this.#right = new Int32Array(height);
    }
    this.width = width;
    this.height = height;
    this.inverseDepth.fill(1 / farM, 0, size);
    this.surface.fill(0, 0, size);
  }

  /**
   * Draws the convex polygon of the first `n` corners where it is nearest so far. 1 / depth at the centre of
   * pixel (x, y) is wx * x + wy * y + w0. `front`: the corners run counter-clockwise on the screen. Returns
   * true if a pixel was drawn.
   */
  fill(
    xs: Float64Array,
    ys: Float64Array,
    n: number,
    front: boolean,
    wx: number,
    wy: number,
    w0: number,
    surface: number,
    holes: Holes | undefined,
  ): boolean {
    const { width, inverseDepth, surface: surfaces } = this;
    let low = ys[0] as number;
    let high = low;
    for (let i = 1; i < n; i++) {
      const y = ys[i] as number;
      if (y < low) low = y;
      if (y > high) high = y;
    }
    const top = low <= 0.5 ? 0 : Math.ceil(low - 0.5);
    const bottom = high >= this.height - 0.5 ? this.height : Math.ceil(high - 0.5);
    if (top >= bottom) return false;
    this.#trace(xs, ys, n, front);
    const left = this.#left;
    const right = this.#right;
    let drawn = false;
    for (let y = top; y < bottom; y++) {
      const from = left[y] as number;
      const to = right[y] as number;
      if (from >= to) continue;
      const first = y * width + from;
      const end = y * width + to;
      let w = wx * from + wy * y + w0;
      if (holes !== undefined) {
        if (this.#fillAround(holes, first, end, y, w, wx, surface)) drawn = true;
        continue;
      }
      for (let p = first; p < end; p++) {
        if (w > (inverseDepth[p] as number)) {
          inverseDepth[p] = w;
          surfaces[p] = surface;
          drawn = true;
        }
        w += wx;
      }
    }
    return drawn;
  }

  /** Fills one row of a polygon with holes; `w` is 1 / depth at its first pixel. */
  #fillAround(
    holes: Holes,
    first: number,
    end: number,
    y: number,
    w: number,
    wx: number,
    surface: number,
  ): boolean {
    const { inverseDepth, surface: surfaces } = this;
    const row = y * this.width;
    const half = (end - first) >> 1;
    holes.beginSpan(first + half - row, y, 1 / (w + wx * half));
    let drawn = false;
    for (let p = first; p < end; p++) {
      const here = w + wx * (p - first);
      if (here > (inverseDepth[p] as number) && holes.isSolid(p - row, y, 1 / here)) {
        inverseDepth[p] = here;
        surfaces[p] = surface;
        drawn = true;
      }
    }
    return drawn;
  }

  /** Traces the edges and stores where each row of pixels begins and ends. */
  #trace(xs: Float64Array, ys: Float64Array, n: number, front: boolean): void {
    const { width, height } = this;
    for (let i = 0; i < n; i++) {
      const j = i + 1 === n ? 0 : i + 1;
      // In counter-clockwise order, left edges run downwards and right edges upwards.
      const down = (ys[i] as number) < (ys[j] as number);
      const upper = down ? i : j;
      const lower = down ? j : i;
      const x0 = xs[upper] as number;
      const y0 = ys[upper] as number;
      const y1 = ys[lower] as number;
      const top = y0 <= 0.5 ? 0 : Math.ceil(y0 - 0.5);
      const bottom = y1 >= height - 0.5 ? height : Math.ceil(y1 - 0.5);
      if (top >= bottom) continue;
      const slope = ((xs[lower] as number) - x0) / (y1 - y0);
      const bound = down === front ? this.#left : this.#right;
      for (let y = top; y < bottom; y++) {
        const x = x0 + (y + 0.5 - y0) * slope - 0.5;
        bound[y] = x <= 0 ? 0 : x >= width ? width : Math.ceil(x);
      }
    }
  }
}

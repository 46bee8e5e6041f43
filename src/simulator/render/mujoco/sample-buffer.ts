/** Positions of the samples in a pixel, from its upper left corner; Mesa's for 4 samples, its centre for 1. */
const POSITIONS = {
  1: { x: [0.5], y: [0.5] },
  4: { x: [0.375, 0.875, 0.125, 0.625], y: [0.875, 0.625, 0.375, 0.125] },
} as const;

/** Four samples are this far from the pixel's upper and left border, and as far from its lower and right one. */
const INNER = 0.125;
const OUTER = 1 - INNER;

/** Corners are rounded to this part of a pixel, as in Mesa, so that triangles cover the same samples. */
const SUBPIXELS = 256;
/** Half the smallest distance from an edge: decides samples on an edge that two triangles share. */
const TIE = 0.5 / (SUBPIXELS * 8);

/** First and last columns and rows of pixels. */
export interface Bounds {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Depth and owner of every sample of an image. Depth grows towards the camera (1 at the near, 0 at the far plane), as
 * in MuJoCo; of equal depths the later triangle wins.
 */
export class SampleBuffer {
  width = 0;
  height = 0;
  /** Where `fill` draws. */
  bounds: Bounds = { left: 0, right: -1, top: 0, bottom: -1 };
  /** `samples` numbers per pixel. */
  depth = new Float32Array(0);
  /** The id passed to `fill`; 0 where nothing was drawn. */
  owner = new Int32Array(0);
  readonly #sx: readonly number[];
  readonly #sy: readonly number[];
  /** Of the triangle that is drawn: a, b and c of its three edge functions and of its depth, each a x + b y + c. */
  readonly #setup = new Float64Array(12);

  constructor(readonly samples: 1 | 4) {
    this.#sx = POSITIONS[samples].x;
    this.#sy = POSITIONS[samples].y;
  }

  /** @param bounds rectangle outside of which nothing will be drawn; by default the whole image */
  clear(width: number, height: number, bounds?: Bounds): void {
    const size = width * height * this.samples;
    if (this.owner.length !== size) {
      this.depth = new Float32Array(size);
      this.owner = new Int32Array(size);
    } else {
      this.depth.fill(0);
      this.owner.fill(0);
    }
    this.width = width;
    this.height = height;
    this.bounds = bounds ?? { left: 0, right: width - 1, top: 0, bottom: height - 1 };
  }

  /**
   * Draws a triangle with corners (x, y) in pixels and depth z. `visit`, if given, gets the samples that pass the depth
   * test instead of the buffer.
   */
  fill(
    id: number,
    ax: number,
    ay: number,
    az: number,
    bx: number,
    by: number,
    bz: number,
    cx: number,
    cy: number,
    cz: number,
    visit?: (sample: number) => void,
  ): void {
    let x0 = Math.round(ax * SUBPIXELS) / SUBPIXELS;
    let y0 = Math.round(ay * SUBPIXELS) / SUBPIXELS;
    const x1 = Math.round(bx * SUBPIXELS) / SUBPIXELS;
    const y1 = Math.round(by * SUBPIXELS) / SUBPIXELS;
    let x2 = Math.round(cx * SUBPIXELS) / SUBPIXELS;
    let y2 = Math.round(cy * SUBPIXELS) / SUBPIXELS;
    const { samples } = this;
    const inner = samples === 1 ? 0.5 : INNER;
    const outer = 1 - inner;
    const bounds = this.bounds;
    const left = Math.max(bounds.left, Math.ceil(Math.min(x0, x1, x2) - outer));
    const right = Math.min(bounds.right, Math.floor(Math.max(x0, x1, x2) - inner));
    const top = Math.max(bounds.top, Math.ceil(Math.min(y0, y1, y2) - outer));
    const bottom = Math.min(bounds.bottom, Math.floor(Math.max(y0, y1, y2) - inner));
    if (left > right || top > bottom) return;
    let area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    if (area === 0) return;
    let z0 = az;
    let z2 = cz;
    if (area < 0) {
      const [x, y, z] = [x0, y0, z0];
      x0 = x2;
      y0 = y2;
      z0 = z2;
      x2 = x;
      y2 = y;
      z2 = z;
      area = -area;
    }
    // Edge functions are positive inside.
    const a0 = y1 - y2;
    const b0 = x2 - x1;
    const a1 = y2 - y0;
    const b1 = x0 - x2;
    const a2 = y0 - y1;
    const b2 = x1 - x0;
    const c0 = -a0 * x1 - b0 * y1 - (a0 > 0 || (a0 === 0 && b0 > 0) ? 0 : TIE);
    const c1 = -a1 * x2 - b1 * y2 - (a1 > 0 || (a1 === 0 && b1 > 0) ? 0 : TIE);
    const c2 = -a2 * x0 - b2 * y0 - (a2 > 0 || (a2 === 0 && b2 > 0) ? 0 : TIE);
    const zx = (a0 * z0 + a1 * bz + a2 * z2) / area;
    const zy = (b0 * z0 + b1 * bz + b2 * z2) / area;
    const zc = z0 - zx * x0 - zy * y0;
    const t = this.#setup;
    t[0] = a0;
    t[1] = b0;
    t[2] = c0;
    t[3] = a1;
    t[4] = b1;
    t[5] = c1;
    t[6] = a2;
    t[7] = b2;
    t[8] = c2;
    t[9] = zx;
    t[10] = zy;
    t[11] = zc;
    if (samples === 4 && !visit) this.#fillFour(id, left, right, top, bottom);
    else this.#fillEach(id, left, right, top, bottom, visit);
  }

  /** Fills the pixels of a rectangle where the triangle covers any of their four samples. */
  #fillFour(id: number, left: number, right: number, top: number, bottom: number): void {
    const t = this.#setup;
    const [a0, b0, c0] = [t[0], t[1], t[2]] as [number, number, number];
    const [a1, b1, c1] = [t[3], t[4], t[5]] as [number, number, number];
    const [a2, b2, c2] = [t[6], t[7], t[8]] as [number, number, number];
    const [zx, zy, zc] = [t[9], t[10], t[11]] as [number, number, number];
    const low0 = lowest(a0, b0, INNER, OUTER);
    const low1 = lowest(a1, b1, INNER, OUTER);
    const low2 = lowest(a2, b2, INNER, OUTER);
    const high0 = -lowest(-a0, -b0, INNER, OUTER);
    const high1 = -lowest(-a1, -b1, INNER, OUTER);
    const high2 = -lowest(-a2, -b2, INNER, OUTER);
    const { depth, owner, width } = this;
    // Edge functions and depth of the four samples, relative to the pixel's corner.
    const f00 = 0.375 * a0 + 0.875 * b0;
    const f01 = 0.875 * a0 + 0.625 * b0;
    const f02 = 0.125 * a0 + 0.375 * b0;
    const f03 = 0.625 * a0 + 0.125 * b0;
    const f10 = 0.375 * a1 + 0.875 * b1;
    const f11 = 0.875 * a1 + 0.625 * b1;
    const f12 = 0.125 * a1 + 0.375 * b1;
    const f13 = 0.625 * a1 + 0.125 * b1;
    const f20 = 0.375 * a2 + 0.875 * b2;
    const f21 = 0.875 * a2 + 0.625 * b2;
    const f22 = 0.125 * a2 + 0.375 * b2;
    const f23 = 0.625 * a2 + 0.125 * b2;
    const g0 = 0.375 * zx + 0.875 * zy;
    const g1 = 0.875 * zx + 0.625 * zy;
    const g2 = 0.125 * zx + 0.375 * zy;
    const g3 = 0.625 * zx + 0.125 * zy;
    for (let y = top; y <= bottom; y++) {
      const r0 = b0 * y + c0;
      const r1 = b1 * y + c1;
      const r2 = b2 * y + c2;
      const rz = zy * y;
      let from = left;
      let to = right;
      // The columns that are certainly inside all edges, less one on each side for rounding.
      let wholeFrom = right + 1;
      let wholeTo = right;
      if (right - left > 3) {
        // The part of the row in which some sample can be inside each edge.
        if (a0 > 0) from = Math.max(from, Math.ceil(-(r0 + high0) / a0));
        else if (a0 < 0) to = Math.min(to, Math.floor(-(r0 + high0) / a0));
        if (a1 > 0) from = Math.max(from, Math.ceil(-(r1 + high1) / a1));
        else if (a1 < 0) to = Math.min(to, Math.floor(-(r1 + high1) / a1));
        if (a2 > 0) from = Math.max(from, Math.ceil(-(r2 + high2) / a2));
        else if (a2 < 0) to = Math.min(to, Math.floor(-(r2 + high2) / a2));
      }
      if (to - from > 7) {
        const first = Math.max(
          from,
          firstInside(a0, r0 + low0),
          firstInside(a1, r1 + low1),
          firstInside(a2, r2 + low2),
        );
        const last = Math.min(
          to,
          lastInside(a0, r0 + low0),
          lastInside(a1, r1 + low1),
          lastInside(a2, r2 + low2),
        );
        if (first <= last) [wholeFrom, wholeTo] = [first, last];
      }
      for (let x = from; x <= to; x++) {
        if (x === wholeFrom) {
          for (let at = (y * width + x) * 4; x <= wholeTo; x++, at += 4) {
            const base = zx * x + rz + zc;
            if (base + g0 >= (depth[at] as number)) {
              depth[at] = base + g0;
              owner[at] = id;
            }
            if (base + g1 >= (depth[at + 1] as number)) {
              depth[at + 1] = base + g1;
              owner[at + 1] = id;
            }
            if (base + g2 >= (depth[at + 2] as number)) {
              depth[at + 2] = base + g2;
              owner[at + 2] = id;
            }
            if (base + g3 >= (depth[at + 3] as number)) {
              depth[at + 3] = base + g3;
              owner[at + 3] = id;
            }
          }
          x--;
          continue;
        }
        const e0 = a0 * x + r0;
        const e1 = a1 * x + r1;
        const e2 = a2 * x + r2;
        const at = (y * width + x) * 4;
        const base = zx * x + rz + zc;
        if (e0 + high0 < 0 || e1 + high1 < 0 || e2 + high2 < 0) continue;
        if (e0 + f00 >= 0 && e1 + f10 >= 0 && e2 + f20 >= 0 && base + g0 >= (depth[at] as number)) {
          depth[at] = base + g0;
          owner[at] = id;
        }
        if (
          e0 + f01 >= 0 &&
          e1 + f11 >= 0 &&
          e2 + f21 >= 0 &&
          base + g1 >= (depth[at + 1] as number)
        ) {
          depth[at + 1] = base + g1;
          owner[at + 1] = id;
        }
        if (
          e0 + f02 >= 0 &&
          e1 + f12 >= 0 &&
          e2 + f22 >= 0 &&
          base + g2 >= (depth[at + 2] as number)
        ) {
          depth[at + 2] = base + g2;
          owner[at + 2] = id;
        }
        if (
          e0 + f03 >= 0 &&
          e1 + f13 >= 0 &&
          e2 + f23 >= 0 &&
          base + g3 >= (depth[at + 3] as number)
        ) {
          depth[at + 3] = base + g3;
          owner[at + 3] = id;
        }
      }
    }
  }

  /** Fills samples one by one, or reports them to `visit`. */
  #fillEach(
    id: number,
    left: number,
    right: number,
    top: number,
    bottom: number,
    visit: ((sample: number) => void) | undefined,
  ): void {
    const t = this.#setup;
    const [a0, b0, c0] = [t[0], t[1], t[2]] as [number, number, number];
    const [a1, b1, c1] = [t[3], t[4], t[5]] as [number, number, number];
    const [a2, b2, c2] = [t[6], t[7], t[8]] as [number, number, number];
    const [zx, zy, zc] = [t[9], t[10], t[11]] as [number, number, number];
    const { samples, depth, owner, width } = this;
    const inner = samples === 1 ? 0.5 : INNER;
    const outer = 1 - inner;
    const sx = this.#sx;
    const sy = this.#sy;
    const low0 = lowest(a0, b0, inner, outer);
    const low1 = lowest(a1, b1, inner, outer);
    const low2 = lowest(a2, b2, inner, outer);
    const high0 = -lowest(-a0, -b0, inner, outer);
    const high1 = -lowest(-a1, -b1, inner, outer);
    const high2 = -lowest(-a2, -b2, inner, outer);
    for (let y = top; y <= bottom; y++) {
      const r0 = b0 * y + c0;
      const r1 = b1 * y + c1;
      const r2 = b2 * y + c2;
      let from = left;
      let to = right;
      if (right - left > 3) {
        // The part of the row in which some sample can be inside each edge.
        if (a0 > 0) from = Math.max(from, Math.ceil(-(r0 + high0) / a0));
        else if (a0 < 0) to = Math.min(to, Math.floor(-(r0 + high0) / a0));
        if (a1 > 0) from = Math.max(from, Math.ceil(-(r1 + high1) / a1));
        else if (a1 < 0) to = Math.min(to, Math.floor(-(r1 + high1) / a1));
        if (a2 > 0) from = Math.max(from, Math.ceil(-(r2 + high2) / a2));
        else if (a2 < 0) to = Math.min(to, Math.floor(-(r2 + high2) / a2));
      }
      for (let x = from; x <= to; x++) {
        const e0 = a0 * x + r0;
        const e1 = a1 * x + r1;
        const e2 = a2 * x + r2;
        if (e0 + high0 < 0 || e1 + high1 < 0 || e2 + high2 < 0) continue;
        const whole = e0 + low0 >= 0 && e1 + low1 >= 0 && e2 + low2 >= 0;
        const base = zx * x + zy * y + zc;
        let at = (y * width + x) * samples;
        for (let s = 0; s < samples; s++, at++) {
          const px = sx[s] as number;
          const py = sy[s] as number;
          if (
            !whole &&
            (e0 + a0 * px + b0 * py < 0 || e1 + a1 * px + b1 * py < 0 || e2 + a2 * px + b2 * py < 0)
          ) {
            continue;
          }
          const z = base + zx * px + zy * py;
          if (z < (depth[at] as number)) continue;
          if (visit) visit(at);
          else {
            depth[at] = z;
            owner[at] = id;
          }
        }
      }
    }
  }
}

/** The lowest value of `a x + b y` over the square from `inner` to `outer`. */
function lowest(a: number, b: number, inner: number, outer: number): number {
  return a * (a > 0 ? inner : outer) + b * (b > 0 ? inner : outer);
}

/** The first column, with one to spare, where `a x + r` is not negative, if it grows. */
function firstInside(a: number, r: number): number {
  if (a > 0) return Math.ceil(-r / a) + 1;
  return a < 0 || r >= 0 ? -Infinity : Infinity;
}

/** The last column, with one to spare, where `a x + r` is not negative, if it falls. */
function lastInside(a: number, r: number): number {
  return a < 0 ? Math.floor(-r / a) - 1 : Infinity;
}

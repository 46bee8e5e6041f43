import { DepthTiles, depthSteps } from "./depth-tiles.js";
import { fillEach } from "./fill-each.js";
import { fillLarge } from "./fill-large.js";
import { fillSmall } from "./fill-small.js";
import { INNER, type Samples, SUBPIXELS, type Visit } from "./samples.js";

/** Triangles up to this size, in subpixels, are drawn with whole numbers of 32 bits. */
const SMALL = 64 * SUBPIXELS;

/** Places of corners in an image: column and row in whole subpixels, and depth. */
export interface Corners {
  readonly column: Float64Array;
  readonly row: Float64Array;
  readonly depth: Float64Array;
}

/** First and last columns and rows of pixels. */
export interface Bounds {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Depth and owner of every sample of an image. Depth grows towards the camera (1 at the near, 0 at the far plane), as
 * in MuJoCo; of equal depths the triangle with the higher id wins, in whatever order they are drawn.
 */
export class SampleBuffer implements Samples {
  width = 0;
  height = 0;
  /** Where `fill` draws. */
  bounds: Bounds = { left: 0, right: -1, top: 0, bottom: -1 };
  /** `samples` numbers per pixel. */
  depth = new Float32Array(0);
  /** The id passed to `fill`; 0 where nothing was drawn. */
  owner = new Int32Array(0);
  readonly tiles = new DepthTiles();
  readonly #setup = new Float64Array(12);

  constructor(readonly samples: 1 | 4) {}

  /** @param depth what is not nearer than this will not be drawn */
  clear(width: number, height: number, depth = 0): void {
    const size = width * height * this.samples;
    if (this.owner.length !== size) {
      this.depth = new Float32Array(size);
      this.owner = new Int32Array(size);
    } else this.owner.fill(0);
    this.depth.fill(depth);
    this.tiles.clear(width, height);
    this.width = width;
    this.height = height;
    this.bounds = { left: 0, right: width - 1, top: 0, bottom: height - 1 };
  }

  /**
   * Draws the triangle of the corners a, b and c. `visit`, if given, gets the samples that pass the depth test instead of
   * the buffer.
   */
  fill(
    id: number,
    { column, row, depth }: Corners,
    a: number,
    b: number,
    c: number,
    visit?: Visit,
  ): void {
    const x0 = column[a] as number;
    const y0 = row[a] as number;
    const x1 = column[b] as number;
    const y1 = row[b] as number;
    const x2 = column[c] as number;
    const y2 = row[c] as number;
    const { samples, bounds } = this;
    const inner = (samples === 1 ? 0.5 : INNER) * SUBPIXELS;
    const outer = SUBPIXELS - inner;
    const lowX = Math.min(x0, x1, x2);
    const highX = Math.max(x0, x1, x2);
    // Samples are in columns and rows of this distance, between which small triangles cover none.
    const step = SUBPIXELS / samples;
    if (Math.ceil((lowX - inner) / step) > Math.floor((highX - inner) / step)) return;
    const lowY = Math.min(y0, y1, y2);
    const highY = Math.max(y0, y1, y2);
    if (Math.ceil((lowY - inner) / step) > Math.floor((highY - inner) / step)) return;
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    if (area === 0) return;
    const left = Math.max(bounds.left, Math.ceil((lowX - outer) / SUBPIXELS));
    const right = Math.min(bounds.right, Math.floor((highX - inner) / SUBPIXELS));
    if (left > right) return;
    const top = Math.max(bounds.top, Math.ceil((lowY - outer) / SUBPIXELS));
    const bottom = Math.min(bounds.bottom, Math.floor((highY - inner) / SUBPIXELS));
    if (top > bottom) return;
    const z0 = depth[a] as number;
    const z1 = depth[b] as number;
    const z2 = depth[c] as number;
    if (this.tiles.hides(depthSteps(Math.max(z0, z1, z2)), left, right, top, bottom)) return;
    // Edge functions are positive inside: a x + b y + c of a point (x, y) relative to the pixel (left, top).
    const turn = area > 0 ? 1 : -1;
    const a0 = turn * (y1 - y2);
    const b0 = turn * (x2 - x1);
    const a1 = turn * (y2 - y0);
    const b1 = turn * (x0 - x2);
    const a2 = turn * (y0 - y1);
    const b2 = turn * (x1 - x0);
    const originX = left * SUBPIXELS;
    const originY = top * SUBPIXELS;
    const t = this.#setup;
    t[0] = a0;
    t[1] = b0;
    t[2] = a0 * (originX - x1) + b0 * (originY - y1) - (a0 > 0 || (a0 === 0 && b0 > 0) ? 0 : 1);
    t[3] = a1;
    t[4] = b1;
    t[5] = a1 * (originX - x2) + b1 * (originY - y2) - (a1 > 0 || (a1 === 0 && b1 > 0) ? 0 : 1);
    t[6] = a2;
    t[7] = b2;
    t[8] = a2 * (originX - x0) + b2 * (originY - y0) - (a2 > 0 || (a2 === 0 && b2 > 0) ? 0 : 1);
    const scale = turn / area;
    const zx = (a0 * z0 + a1 * z1 + a2 * z2) * scale;
    const zy = (b0 * z0 + b1 * z1 + b2 * z2) * scale;
    t[9] = zx * SUBPIXELS;
    t[10] = zy * SUBPIXELS;
    t[11] = z0 + zx * (originX - x0) + zy * (originY - y0);
    if (!visit) this.tiles.touch(left, right, top, bottom);
    if (samples === 1 || visit) fillEach(this, t, id, left, right, top, bottom, visit);
    else if (highX - lowX <= SMALL && highY - lowY <= SMALL) {
      fillSmall(this, t, id, left, right, top, bottom);
    } else fillLarge(this, t, id, left, right, top, bottom);
  }
}

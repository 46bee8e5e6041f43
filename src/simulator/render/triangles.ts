import type { View } from "./camera.js";
import { Holes } from "./holes.js";
import type { PlacedChunk } from "./part.js";
import { BLUE, GREEN, RED, STRIDE, type Surfaces, U, V, W } from "./surfaces.js";
import { toCamera } from "./transform.js";
import type { Visibility } from "./visibility.js";

/** Outcodes: sides of the view that a point lies beyond. A triangle is invisible if its corners share one. */
const NEAR = 1;
const RIGHT = 2;
const LEFT = 4;
const ABOVE = 8;
const BELOW = 16;

/**
 * A triangle whose plane is this close to the camera, in metres, is edge-on: thinner than any pixel, and its
 * depth would be dominated by rounding.
 */
const EDGE_ON_M = 1e-7;

/** Rasterises the triangles of a chunk: transforms, culls, clips at the near plane and draws. */
export class Triangles {
  readonly #holes = new Holes();
  readonly #matrix = new Float64Array(12);
  /** Camera space x, y and d of each vertex of the chunk; pixels; outcodes. */
  #camera = new Float64Array(0);
  #pixelX = new Float64Array(0);
  #pixelY = new Float64Array(0);
  #codes = new Uint8Array(0);
  /** The polygon being drawn: a triangle, or the up to four corners left after clipping. */
  readonly #xs = new Float64Array(4);
  readonly #ys = new Float64Array(4);

  constructor(
    private readonly visibility: Visibility,
    private readonly surfaces: Surfaces,
  ) {}

  /** `colors`: whether colours are requested and must be prepared. */
  draw(placed: PlacedChunk, view: View, colors: boolean): void {
    const { part, chunk } = placed;
    this.#project(placed, view);
    const { indices } = chunk;
    const camera = this.#camera;
    const codes = this.#codes;
    const pixelX = this.#pixelX;
    const pixelY = this.#pixelY;
    const xs = this.#xs;
    const ys = this.#ys;
    const visibility = this.visibility;
    const surfaces = this.surfaces;
    const holes = part.hasHoles ? this.#holes : undefined;
    const bothSides = part.material.doubleSided === true;
    const outside = part.mirrored ? -1 : 1;
    const { focalPx, centreX, centreY } = view;
    for (let i = 0; i < indices.length; i += 3) {
      const a = indices[i] as number;
      const b = indices[i + 1] as number;
      const c = indices[i + 2] as number;
      const codeA = codes[a] as number;
      const codeB = codes[b] as number;
      const codeC = codes[c] as number;
      if ((codeA & codeB & codeC) !== 0) continue;
      const ax = camera[a * 3] as number;
      const ay = camera[a * 3 + 1] as number;
      const ad = camera[a * 3 + 2] as number;
      const ex = (camera[b * 3] as number) - ax;
      const ey = (camera[b * 3 + 1] as number) - ay;
      const ed = (camera[b * 3 + 2] as number) - ad;
      const fx = (camera[c * 3] as number) - ax;
      const fy = (camera[c * 3 + 1] as number) - ay;
      const fd = (camera[c * 3 + 2] as number) - ad;
      const nx = ey * fd - ed * fy;
      const ny = ed * fx - ex * fd;
      const nd = ex * fy - ey * fx;
      // The triangle's plane is n . p = volume. Positive: its corners run counter-clockwise on the screen.
      const volume = nx * ax + ny * ay + nd * ad;
      if (!bothSides && !(volume * outside > 0)) continue;
      const edgeOn = EDGE_ON_M * EDGE_ON_M * (nx * nx + ny * ny + nd * nd);
      if (!(volume * volume > edgeOn)) continue;

      let corners = 3;
      if (((codeA | codeB | codeC) & NEAR) === 0) {
        xs[0] = pixelX[a] as number;
        ys[0] = pixelY[a] as number;
        xs[1] = pixelX[b] as number;
        ys[1] = pixelY[b] as number;
        xs[2] = pixelX[c] as number;
        ys[2] = pixelY[c] as number;
      } else corners = this.#cut(a, b, c, view);

      // The ray (rx, ry, 1) meets the plane at depth volume / (n . ray); see Olano and Greer, "Triangle scan
      // conversion using 2D homogeneous coordinates" (1997). This holds for clipped triangles too.
      const wx = nx / (volume * focalPx);
      const wy = -ny / (volume * focalPx);
      const w0 = nd / volume - wx * (centreX - 0.5) - wy * (centreY - 0.5);
      const number = surfaces.next(part);
      const front = volume > 0;
      if (holes !== undefined) {
        this.#describe(placed, view, number, a, b, c, volume, wx, wy);
        holes.begin(surfaces, number, part);
      }
      if (visibility.fill(xs, ys, corners, front, wx, wy, w0, number, holes)) {
        surfaces.count = number;
        if (colors && holes === undefined) {
          this.#describe(placed, view, number, a, b, c, volume, wx, wy);
        }
      }
    }
  }

  #project({ part, chunk }: PlacedChunk, view: View): void {
    const { positions } = chunk;
    const count = positions.length / 3;
    if (this.#codes.length < count) {
      this.#camera = new Float64Array(count * 3);
      this.#pixelX = new Float64Array(count);
      this.#pixelY = new Float64Array(count);
      this.#codes = new Uint8Array(count);
    }
    const camera = this.#camera;
    const pixelX = this.#pixelX;
    const pixelY = this.#pixelY;
    const codes = this.#codes;
    const { nearM, focalPx, centreX, centreY } = view;
    const slopeX = centreX / focalPx;
    const slopeY = centreY / focalPx;
    const m = this.#matrix;
    toCamera(view, part.world, m);
    const m0 = m[0] as number;
    const m1 = m[1] as number;
    const m2 = m[2] as number;
    const m3 = m[3] as number;
    const m4 = m[4] as number;
    const m5 = m[5] as number;
    const m6 = m[6] as number;
    const m7 = m[7] as number;
    const m8 = m[8] as number;
    const m9 = m[9] as number;
    const m10 = m[10] as number;
    const m11 = m[11] as number;
    for (let v = 0, i = 0; v < count; v++, i += 3) {
      const px = positions[i] as number;
      const py = positions[i + 1] as number;
      const pz = positions[i + 2] as number;
      const x = m0 * px + m1 * py + m2 * pz + m3;
      const y = m4 * px + m5 * py + m6 * pz + m7;
      const d = m8 * px + m9 * py + m10 * pz + m11;
      camera[i] = x;
      camera[i + 1] = y;
      camera[i + 2] = d;
      const limitX = d * slopeX;
      const limitY = d * slopeY;
      let code = 0;
      if (x > limitX) code |= RIGHT;
      if (x < -limitX) code |= LEFT;
      if (y > limitY) code |= ABOVE;
      if (y < -limitY) code |= BELOW;
      if (d < nearM) code |= NEAR;
      else {
        const scale = focalPx / d;
        pixelX[v] = centreX + x * scale;
        pixelY[v] = centreY - y * scale;
      }
      codes[v] = code;
    }
  }

  /** Clips a triangle at the near plane to 3 or 4 corners on the screen. */
  #cut(a: number, b: number, c: number, view: View): number {
    const { nearM, focalPx, centreX, centreY } = view;
    const camera = this.#camera;
    const scale = focalPx / nearM;
    let n = 0;
    let from = c;
    for (let k = 0; k < 3; k++) {
      const to = k === 0 ? a : k === 1 ? b : c;
      const fromSeen = ((this.#codes[from] as number) & NEAR) === 0;
      const toSeen = ((this.#codes[to] as number) & NEAR) === 0;
      if (fromSeen !== toSeen) {
        // Always starts at the visible end, so that two triangles clip their common edge at the same point.
        const seen = (fromSeen ? from : to) * 3;
        const lost = (fromSeen ? to : from) * 3;
        const d = camera[seen + 2] as number;
        const t = (nearM - d) / ((camera[lost + 2] as number) - d);
        const x = camera[seen] as number;
        const y = camera[seen + 1] as number;
        this.#xs[n] = centreX + (x + t * ((camera[lost] as number) - x)) * scale;
        this.#ys[n++] = centreY - (y + t * ((camera[lost + 1] as number) - y)) * scale;
      }
      if (toSeen) {
        this.#xs[n] = this.#pixelX[to] as number;
        this.#ys[n++] = this.#pixelY[to] as number;
      }
      from = to;
    }
    return n;
  }

  /** Stores the planes of texture coordinates and colours across the surface. */
  #describe(
    placed: PlacedChunk,
    view: View,
    number: number,
    a: number,
    b: number,
    c: number,
    volume: number,
    wx: number,
    wy: number,
  ): void {
    const { chunk, part } = placed;
    const { planes, smooth } = this.surfaces;
    const at = number * STRIDE;
    planes[at + W] = wx;
    planes[at + W + 1] = wy;
    const weights = this.#weigh(a, b, c, volume, view);
    const { uvs } = chunk;
    if (uvs !== undefined) {
      combine(planes, at + U, weights, uvs, a * 2, b * 2, c * 2);
      combine(planes, at + V, weights, uvs, a * 2 + 1, b * 2 + 1, c * 2 + 1);
    } else planes.fill(0, at + U, at + V + 3);
    const colors = volume > 0 !== part.mirrored ? placed.front : placed.back;
    const isSmooth = !(sameColor(colors, a, b) && sameColor(colors, a, c));
    smooth[number] = isSmooth ? 1 : 0;
    if (isSmooth) {
      combine(planes, at + RED, weights, colors, a * 3, b * 3, c * 3);
      combine(planes, at + GREEN, weights, colors, a * 3 + 1, b * 3 + 1, c * 3 + 1);
      combine(planes, at + BLUE, weights, colors, a * 3 + 2, b * 3 + 2, c * 3 + 2);
    } else {
      planes[at + RED + 2] = colors[a * 3] as number;
      planes[at + GREEN + 2] = colors[a * 3 + 1] as number;
      planes[at + BLUE + 2] = colors[a * 3 + 2] as number;
    }
  }

  readonly #weights = new Float64Array(9);

  /** For each corner, the plane of its barycentric weight / depth. */
  #weigh(a: number, b: number, c: number, volume: number, view: View): Float64Array {
    const { focalPx, centreX, centreY } = view;
    const camera = this.#camera;
    const weights = this.#weights;
    for (let k = 0; k < 3; k++) {
      const p = (k === 0 ? b : k === 1 ? c : a) * 3;
      const q = (k === 0 ? c : k === 1 ? a : b) * 3;
      const px = camera[p] as number;
      const py = camera[p + 1] as number;
      const pd = camera[p + 2] as number;
      const qx = camera[q] as number;
      const qy = camera[q + 1] as number;
      const qd = camera[q + 2] as number;
      const x = (py * qd - pd * qy) / (volume * focalPx);
      const y = -(pd * qx - px * qd) / (volume * focalPx);
      weights[k * 3] = x;
      weights[k * 3 + 1] = y;
      weights[k * 3 + 2] = (px * qy - py * qx) / volume - x * (centreX - 0.5) - y * (centreY - 0.5);
    }
    return weights;
  }
}

function combine(
  planes: Float64Array,
  at: number,
  weights: Float64Array,
  values: Float32Array,
  a: number,
  b: number,
  c: number,
): void {
  const va = values[a] as number;
  const vb = values[b] as number;
  const vc = values[c] as number;
  for (let k = 0; k < 3; k++) {
    planes[at + k] =
      va * (weights[k] as number) +
      vb * (weights[k + 3] as number) +
      vc * (weights[k + 6] as number);
  }
}

function sameColor(colors: Float32Array, a: number, b: number): boolean {
  return (
    colors[a * 3] === colors[b * 3] &&
    colors[a * 3 + 1] === colors[b * 3 + 1] &&
    colors[a * 3 + 2] === colors[b * 3 + 2]
  );
}

import { type ClipCorner, clipped } from "./clip.js";
import { depthSteps } from "./depth-tiles.js";
import { type Box, PART, type PlacedGeom, type PlacedGeoms } from "./placed-geoms.js";
import type { Projection } from "./projection.js";
import type { Bounds, Corners, SampleBuffer } from "./sample-buffer.js";
import { SUBPIXELS, type Visit } from "./samples.js";

/**
 * Draws geoms with one projection. Keeps the projected vertices, from which `weightsInto` interpolates. Faces are numbered
 * from 1 on over all geoms.
 */
export class ViewPass {
  /** Vertex indices of all faces, over all vertices. */
  readonly corners: Uint32Array;
  /** The same among the projected vertices. */
  readonly #points: Uint32Array;
  /** Index of the geom of each face. */
  readonly geomOfFace: Int32Array;
  /** Homogeneous image coordinates: column, row and depth, each multiplied by w, then w itself. */
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #z: Float64Array;
  readonly #w: Float64Array;
  /** The depth of vertices behind the camera is not between 0 and 1. */
  readonly #projected: Corners;
  /** Corners of a clipped triangle. */
  readonly #clipped: Corners = emptyCorners(MOST_CORNERS);
  /** Distance in front of the mirror; only of geoms on both sides of it. */
  readonly #front: Float64Array;
  readonly #matrix = new Float64Array(16);

  constructor(placed: PlacedGeoms) {
    this.corners = new Uint32Array(3 * placed.faces);
    this.#points = new Uint32Array(3 * placed.faces);
    this.geomOfFace = new Int32Array(placed.faces);
    for (const { geom, surface, index, firstVertex, firstPoint, firstFace } of placed.geoms) {
      const { faces } = geom.mesh;
      for (let i = 0; i < faces.length; i++) {
        this.corners[3 * firstFace + i] = firstVertex + (faces[i] as number);
        this.#points[3 * firstFace + i] = firstPoint + (surface.faces[i] as number);
      }
      this.geomOfFace.fill(index, firstFace, firstFace + faces.length / 3);
    }
    this.#x = new Float64Array(placed.points);
    this.#y = new Float64Array(placed.points);
    this.#z = new Float64Array(placed.points);
    this.#w = new Float64Array(placed.points);
    this.#projected = emptyCorners(placed.points);
    this.#front = new Float64Array(placed.points);
  }

  /** Draws one geom; with `visit`, samples are reported instead of written. */
  draw(placed: PlacedGeom, projection: Projection, buffer: SampleBuffer, visit?: Visit): void {
    const { geom, firstFace } = placed;
    this.#multiply(projection.matrix, placed.pose);
    const side = clipSide(placed, projection);
    if (side < 0 || !this.#isInside(placed, buffer.bounds)) return;
    if (this.#isHidden(placed, buffer, geom.mesh.faces.length > 3 * MANY_FACES)) return;
    this.#project(placed);
    if (side === 0 && projection.clip) this.#measure(placed, projection.clip);
    const left = buffer.bounds.left * SUBPIXELS;
    const right = (buffer.bounds.right + 1) * SUBPIXELS;
    const top = buffer.bounds.top * SUBPIXELS;
    const bottom = (buffer.bounds.bottom + 1) * SUBPIXELS;
    const projected = this.#projected;
    const { column: x, row: y, depth: z } = projected;
    const points = this.#points;
    const inFront = this.#front;
    // Fronts are counter-clockwise with y up. Planes show their back to a camera behind them.
    const isBack = geom.kind === "plane" && isBehind(placed, projection.head);
    const front = projection.mirrored !== isBack ? 1 : -1;
    const last = firstFace + geom.mesh.faces.length / 3;
    const { parts } = placed;
    for (let face = firstFace; face < last; face++) {
      if (parts.length > 0 && (face - firstFace) % PART === 0) {
        const part = parts[(face - firstFace) / PART] as Box;
        if (this.#isHidden(part, buffer, false)) {
          face += PART - 1;
          continue;
        }
      }
      const a = points[3 * face] as number;
      const b = points[3 * face + 1] as number;
      const c = points[3 * face + 2] as number;
      const za = z[a] as number;
      const zb = z[b] as number;
      const zc = z[c] as number;
      let isWhole = za <= 1 && zb <= 1 && zc <= 1 && za >= 0 && zb >= 0 && zc >= 0;
      if (side === 0) {
        const da = inFront[a] as number;
        const db = inFront[b] as number;
        const dc = inFront[c] as number;
        if (da < 0 && db < 0 && dc < 0) continue;
        isWhole &&= da >= 0 && db >= 0 && dc >= 0;
      }
      if (!isWhole) {
        if (this.#isOutside(a, b, c, buffer.bounds)) continue;
        this.#drawClipped(face, side === 0, front, buffer, visit);
        continue;
      }
      const xa = x[a] as number;
      const xb = x[b] as number;
      const xc = x[c] as number;
      const ya = y[a] as number;
      const yb = y[b] as number;
      const yc = y[c] as number;
      if (((xb - xa) * (yc - ya) - (xc - xa) * (yb - ya)) * front <= 0) continue;
      if (xa < left && xb < left && xc < left) continue;
      if (xa > right && xb > right && xc > right) continue;
      if (ya < top && yb < top && yc < top) continue;
      if (ya > bottom && yb > bottom && yc > bottom) continue;
      buffer.fill(face + 1, projected, a, b, c, visit);
    }
  }

  /** Whether all corners are on the outer side of one border of the image. */
  #isOutside(a: number, b: number, c: number, bounds: Bounds): boolean {
    const w = this.#w;
    const areAll = (of: Float64Array, sign: 1 | -1, border: number) =>
      sign * ((of[a] as number) - border * (w[a] as number)) > 0 &&
      sign * ((of[b] as number) - border * (w[b] as number)) > 0 &&
      sign * ((of[c] as number) - border * (w[c] as number)) > 0;
    return (
      areAll(this.#x, -1, bounds.left) ||
      areAll(this.#x, 1, bounds.right + 1) ||
      areAll(this.#y, -1, bounds.top) ||
      areAll(this.#y, 1, bounds.bottom + 1)
    );
  }

  /**
   * Writes how the weights of a face's corners, by its number from 1 on, depend on the point (x, y) of the image: each is
   * a x + b y + c, divided by the sum of the three. Nine numbers.
   */
  weightsInto(out: Float64Array, owner: number): void {
    const face = 3 * (owner - 1);
    const a = this.#points[face] as number;
    const b = this.#points[face + 1] as number;
    const c = this.#points[face + 2] as number;
    const ax = this.#x[a] as number;
    const ay = this.#y[a] as number;
    const aw = this.#w[a] as number;
    const bx = this.#x[b] as number;
    const by = this.#y[b] as number;
    const bw = this.#w[b] as number;
    const cx = this.#x[c] as number;
    const cy = this.#y[c] as number;
    const cw = this.#w[c] as number;
    out[0] = by * cw - bw * cy;
    out[1] = bw * cx - bx * cw;
    out[2] = bx * cy - by * cx;
    out[3] = cy * aw - cw * ay;
    out[4] = cw * ax - cx * aw;
    out[5] = cx * ay - cy * ax;
    out[6] = ay * bw - aw * by;
    out[7] = aw * bx - ax * bw;
    out[8] = ax * by - ay * bx;
  }

  #multiply(view: Float64Array, pose: Float64Array): void {
    for (let row = 0; row < 4; row++) {
      const a = view[4 * row] as number;
      const b = view[4 * row + 1] as number;
      const c = view[4 * row + 2] as number;
      for (let column = 0; column < 4; column++) {
        this.#matrix[4 * row + column] =
          a * (pose[column] as number) +
          b * (pose[4 + column] as number) +
          c * (pose[8 + column] as number) +
          (column === 3 ? (view[4 * row + 3] as number) : 0);
      }
    }
  }

  /** Whether the bounding sphere reaches into the view. */
  #isInside({ centre, radius }: PlacedGeom, { left, right, top, bottom }: Bounds): boolean {
    const m = this.#matrix;
    // Half spaces as combinations of rows: x, y and z within the image and the clipping distances.
    const inside = (first: number, s: number, second: number, t: number) => {
      let [distance, norm] = [0, 0];
      for (let k = 0; k < 4; k++) {
        const value = s * (m[4 * first + k] as number) + t * (m[4 * second + k] as number);
        distance += value * (k < 3 ? (centre[k] as number) : 1);
        if (k < 3) norm += value * value;
      }
      return distance >= -radius * Math.sqrt(norm);
    };
    return (
      inside(0, 1, 3, -left) &&
      inside(0, -1, 3, right + 1) &&
      inside(1, 1, 3, -top) &&
      inside(1, -1, 3, bottom + 1) &&
      inside(2, 1, 2, 0) &&
      inside(2, -1, 3, 1)
    );
  }

  /**
   * Whether a bounding box is outside of the image or hidden by what was drawn.
   *
   * @param prepares whether parts of the box or its triangles will be tested too
   */
  #isHidden({ centre, half }: Box, buffer: SampleBuffer, prepares: boolean): boolean {
    const m = this.#matrix;
    let [left, right, top, bottom, nearest] = [Infinity, -Infinity, Infinity, -Infinity, 0];
    for (let corner = 0; corner < 8; corner++) {
      const x = centre[0] + (corner & 1 ? half[0] : -half[0]);
      const y = centre[1] + (corner & 2 ? half[1] : -half[1]);
      const z = centre[2] + (corner & 4 ? half[2] : -half[2]);
      const along = (row: number) =>
        (m[row] as number) * x +
        (m[row + 1] as number) * y +
        (m[row + 2] as number) * z +
        (m[row + 3] as number);
      const w = along(12);
      const depth = along(8) / w;
      if (w <= 0 || depth >= 1) return false;
      nearest = Math.max(nearest, depth);
      const column = along(0) / w;
      const row = along(4) / w;
      left = Math.min(left, column);
      right = Math.max(right, column);
      top = Math.min(top, row);
      bottom = Math.max(bottom, row);
    }
    const { bounds, tiles } = buffer;
    left = Math.max(bounds.left, Math.floor(left));
    right = Math.min(bounds.right, Math.ceil(right));
    top = Math.max(bounds.top, Math.floor(top));
    bottom = Math.min(bounds.bottom, Math.ceil(bottom));
    if (left > right || top > bottom) return true;
    if (tiles.hides(depthSteps(nearest), left, right, top, bottom, buffer)) return true;
    if (prepares) tiles.refresh(buffer, left, right, top, bottom);
    return false;
  }

  #project({ surface: { positions }, firstPoint }: PlacedGeom): void {
    const m = this.#matrix;
    const [m0, m1, m2, m3] = [m[0], m[1], m[2], m[3]] as [number, number, number, number];
    const [m4, m5, m6, m7] = [m[4], m[5], m[6], m[7]] as [number, number, number, number];
    const [m8, m9, m10, m11] = [m[8], m[9], m[10], m[11]] as [number, number, number, number];
    const [m12, m13, m14, m15] = [m[12], m[13], m[14], m[15]] as [number, number, number, number];
    const [x, y, z, w] = [this.#x, this.#y, this.#z, this.#w];
    const { column: columns, row: rows, depth: depths } = this.#projected;
    for (let i = 0, v = firstPoint; i < positions.length; i += 3, v++) {
      const a = positions[i] as number;
      const b = positions[i + 1] as number;
      const c = positions[i + 2] as number;
      const xw = m0 * a + m1 * b + m2 * c + m3;
      const yw = m4 * a + m5 * b + m6 * c + m7;
      const zw = m8 * a + m9 * b + m10 * c + m11;
      const by = m12 * a + m13 * b + m14 * c + m15;
      x[v] = xw;
      y[v] = yw;
      z[v] = zw;
      w[v] = by;
      const inverse = SUBPIXELS / by;
      columns[v] = xw * inverse + WHOLE - WHOLE;
      rows[v] = yw * inverse + WHOLE - WHOLE;
      depths[v] = by > 0 ? zw / by : -1;
    }
  }

  /** Distances of all vertices of a geom from the mirror. */
  #measure(
    { surface: { positions }, pose: m, firstPoint }: PlacedGeom,
    clip: readonly [number, number, number, number],
  ): void {
    const along = (column: number) =>
      clip[0] * (m[column] as number) +
      clip[1] * (m[4 + column] as number) +
      clip[2] * (m[8 + column] as number);
    const [a, b, c, d] = [along(0), along(1), along(2), along(3) + clip[3]];
    for (let i = 0, v = firstPoint; i < positions.length; i += 3, v++) {
      this.#front[v] =
        a * (positions[i] as number) +
        b * (positions[i + 1] as number) +
        c * (positions[i + 2] as number) +
        d;
    }
  }

  /** Draws the part of a triangle between the clipping planes. */
  #drawClipped(
    face: number,
    isMirrored: boolean,
    front: number,
    buffer: SampleBuffer,
    visit: Visit | undefined,
  ): void {
    const triangle = [0, 1, 2].map((k): ClipCorner => {
      const v = this.#points[3 * face + k] as number;
      return [
        this.#x[v] as number,
        this.#y[v] as number,
        this.#z[v] as number,
        this.#w[v] as number,
        isMirrored ? (this.#front[v] as number) : 1,
      ];
    });
    const corners = clipped(triangle);
    const { column, row, depth } = this.#clipped;
    for (const [i, [x, y, z, w]] of corners.entries()) {
      column[i] = (x / w) * SUBPIXELS + WHOLE - WHOLE;
      row[i] = (y / w) * SUBPIXELS + WHOLE - WHOLE;
      depth[i] = z / w;
    }
    const x0 = column[0] as number;
    const y0 = row[0] as number;
    for (let i = 1; i + 1 < corners.length; i++) {
      const across = (column[i] as number) - x0;
      const down = (row[i] as number) - y0;
      const turn = across * ((row[i + 1] as number) - y0) - ((column[i + 1] as number) - x0) * down;
      if (turn * front > 0) buffer.fill(face + 1, this.#clipped, 0, i, i + 1, visit);
    }
  }
}

/** Adding and subtracting this rounds to a whole number, in half the time of `Math.round`. */
const WHOLE = 1.5 * 2 ** 52;
/** Geoms of more faces than this are tested face by face against what was drawn. */
const MANY_FACES = 64;
/** A triangle that three planes cut. */
const MOST_CORNERS = 6;

function emptyCorners(count: number): Corners {
  return {
    column: new Float64Array(count),
    row: new Float64Array(count),
    depth: new Float64Array(count),
  };
}

/** 1 if the geom is on the drawn side of the mirror, -1 if on the other, 0 if on both. */
function clipSide({ centre, radius, pose: m }: PlacedGeom, { clip }: Projection): number {
  if (!clip) return 1;
  let distance = clip[3];
  for (const row of [0, 1, 2] as const) {
    const at = 4 * row;
    distance +=
      clip[row] *
      ((m[at] as number) * centre[0] +
        (m[at + 1] as number) * centre[1] +
        (m[at + 2] as number) * centre[2] +
        (m[at + 3] as number));
  }
  return distance >= radius ? 1 : distance <= -radius ? -1 : 0;
}

/** Whether the camera, not its mirror image, is behind a plane. */
export function isBehind(
  { pose: m }: PlacedGeom,
  [x, y, z]: readonly [number, number, number],
): boolean {
  const along =
    (x - (m[3] as number)) * (m[2] as number) +
    (y - (m[7] as number)) * (m[6] as number) +
    (z - (m[11] as number)) * (m[10] as number);
  return along < 0;
}

import { type ClipCorner, clipped } from "./clip.js";
import type { PlacedGeom, PlacedGeoms } from "./placed-geoms.js";
import type { Projection } from "./projection.js";
import type { SampleBuffer } from "./sample-buffer.js";

/** Gets the number (from 1 on) of a face among all faces and a sample it covers. */
export type Visit = (owner: number, sample: number) => void;

/**
 * Draws geoms with one projection. Keeps the projected vertices, from which `weights` interpolates. Faces are numbered
 * from 1 on over all geoms.
 */
export class ViewPass {
  /** Vertex indices of all faces, over all vertices. */
  readonly corners: Uint32Array;
  /** Index of the geom of each face. */
  readonly geomOfFace: Int32Array;
  /** Weights of the three corners at the last point; their sum is 1. */
  readonly weights = new Float64Array(3);
  /** Column, row and depth, each times w, and w. */
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #z: Float64Array;
  readonly #w: Float64Array;
  readonly #matrix = new Float64Array(16);

  constructor(placed: PlacedGeoms) {
    this.corners = new Uint32Array(3 * placed.faces);
    this.geomOfFace = new Int32Array(placed.faces);
    for (const { geom, index, firstVertex, firstFace } of placed.geoms) {
      const { faces } = geom.mesh;
      for (let i = 0; i < faces.length; i++) {
        this.corners[3 * firstFace + i] = firstVertex + (faces[i] as number);
      }
      this.geomOfFace.fill(index, firstFace, firstFace + faces.length / 3);
    }
    this.#x = new Float64Array(placed.vertices);
    this.#y = new Float64Array(placed.vertices);
    this.#z = new Float64Array(placed.vertices);
    this.#w = new Float64Array(placed.vertices);
  }

  /** Draws one geom; with `visit`, samples are reported instead of written. */
  draw(placed: PlacedGeom, projection: Projection, buffer: SampleBuffer, visit?: Visit): void {
    const { geom, firstFace } = placed;
    this.#multiply(projection.matrix, placed.pose);
    const side = clipSide(placed, projection);
    if (side < 0 || !this.#isInside(placed, projection)) return;
    this.#project(placed);
    const { width, height } = projection;
    const [x, y, z, w] = [this.#x, this.#y, this.#z, this.#w];
    const { corners } = this;
    // Fronts are counter-clockwise with y up. Planes show their back to a camera behind them.
    const isBack = geom.kind === "plane" && isBehind(placed, projection.head);
    const front = projection.mirrored !== isBack ? 1 : -1;
    const last = firstFace + geom.mesh.faces.length / 3;
    for (let face = firstFace; face < last; face++) {
      const a = corners[3 * face] as number;
      const b = corners[3 * face + 1] as number;
      const c = corners[3 * face + 2] as number;
      const wa = w[a] as number;
      const wb = w[b] as number;
      const wc = w[c] as number;
      const xa = x[a] as number;
      const xb = x[b] as number;
      const xc = x[c] as number;
      if (xa < 0 && xb < 0 && xc < 0) continue;
      if (xa > width * wa && xb > width * wb && xc > width * wc) continue;
      const ya = y[a] as number;
      const yb = y[b] as number;
      const yc = y[c] as number;
      if (ya < 0 && yb < 0 && yc < 0) continue;
      if (ya > height * wa && yb > height * wb && yc > height * wc) continue;
      const za = z[a] as number;
      const zb = z[b] as number;
      const zc = z[c] as number;
      const owner = face + 1;
      const isWhole = za <= wa && zb <= wb && zc <= wc && za >= 0 && zb >= 0 && zc >= 0;
      if (isWhole && side > 0) {
        const px = xa / wa;
        const py = ya / wa;
        const qx = xb / wb;
        const qy = yb / wb;
        const rx = xc / wc;
        const ry = yc / wc;
        if (((qx - px) * (ry - py) - (rx - px) * (qy - py)) * front <= 0) continue;
        buffer.fill(
          owner,
          px,
          py,
          za / wa,
          qx,
          qy,
          zb / wb,
          rx,
          ry,
          zc / wc,
          visit && ((sample) => visit(owner, sample)),
        );
      } else this.#drawClipped(placed, face, projection, front, buffer, visit);
    }
  }

  /** Sets `weights` for a face, by its number from 1 on, at a point of the image in pixels. */
  weightsAt(owner: number, px: number, py: number): void {
    const face = 3 * (owner - 1);
    const a = this.corners[face] as number;
    const b = this.corners[face + 1] as number;
    const c = this.corners[face + 2] as number;
    const ax = (this.#x[a] as number) - px * (this.#w[a] as number);
    const ay = (this.#y[a] as number) - py * (this.#w[a] as number);
    const bx = (this.#x[b] as number) - px * (this.#w[b] as number);
    const by = (this.#y[b] as number) - py * (this.#w[b] as number);
    const cx = (this.#x[c] as number) - px * (this.#w[c] as number);
    const cy = (this.#y[c] as number) - py * (this.#w[c] as number);
    const u = bx * cy - by * cx;
    const v = cx * ay - cy * ax;
    const w = ax * by - ay * bx;
    const sum = u + v + w;
    const scale = sum === 0 ? 0 : 1 / sum;
    this.weights[0] = u * scale;
    this.weights[1] = v * scale;
    this.weights[2] = w * scale;
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
  #isInside({ centre, radius }: PlacedGeom, { width, height }: Projection): boolean {
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
      inside(0, 1, 0, 0) &&
      inside(0, -1, 3, width) &&
      inside(1, 1, 1, 0) &&
      inside(1, -1, 3, height) &&
      inside(2, 1, 2, 0) &&
      inside(2, -1, 3, 1)
    );
  }

  #project({ geom, firstVertex }: PlacedGeom): void {
    const { positions } = geom.mesh;
    const m = this.#matrix;
    const [m0, m1, m2, m3] = [m[0], m[1], m[2], m[3]] as [number, number, number, number];
    const [m4, m5, m6, m7] = [m[4], m[5], m[6], m[7]] as [number, number, number, number];
    const [m8, m9, m10, m11] = [m[8], m[9], m[10], m[11]] as [number, number, number, number];
    const [m12, m13, m14, m15] = [m[12], m[13], m[14], m[15]] as [number, number, number, number];
    const [x, y, z, w] = [this.#x, this.#y, this.#z, this.#w];
    for (let i = 0, v = firstVertex; i < positions.length; i += 3, v++) {
      const a = positions[i] as number;
      const b = positions[i + 1] as number;
      const c = positions[i + 2] as number;
      x[v] = m0 * a + m1 * b + m2 * c + m3;
      y[v] = m4 * a + m5 * b + m6 * c + m7;
      z[v] = m8 * a + m9 * b + m10 * c + m11;
      w[v] = m12 * a + m13 * b + m14 * c + m15;
    }
  }

  /** Draws the part of a triangle between the clipping planes. */
  #drawClipped(
    placed: PlacedGeom,
    face: number,
    { clip }: Projection,
    front: number,
    buffer: SampleBuffer,
    visit: Visit | undefined,
  ): void {
    // x, y, z, w of each corner, and its distance from the mirror.
    const triangle = [0, 1, 2].map((k): ClipCorner => {
      const v = this.corners[3 * face + k] as number;
      return [
        this.#x[v] as number,
        this.#y[v] as number,
        this.#z[v] as number,
        this.#w[v] as number,
        clip ? distanceOf(placed, v - placed.firstVertex, clip) : 1,
      ];
    });
    const points = clipped(triangle).map(([x, y, z, w]) => [x / w, y / w, z / w] as const);
    const [p] = points;
    if (!p) return;
    const owner = face + 1;
    for (let i = 1; i + 1 < points.length; i++) {
      const [q, r] = [points[i], points[i + 1]];
      if (!q || !r) continue;
      if (((q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1])) * front <= 0) continue;
      const report = visit && ((sample: number) => visit(owner, sample));
      buffer.fill(owner, ...p, ...q, ...r, report);
    }
  }
}

function distanceOf(
  { geom, pose: m }: PlacedGeom,
  vertex: number,
  [a, b, c, d]: readonly [number, number, number, number],
): number {
  const point = geom.mesh.positions.subarray(3 * vertex, 3 * vertex + 3);
  const along = (row: number) =>
    (m[4 * row] as number) * (point[0] as number) +
    (m[4 * row + 1] as number) * (point[1] as number) +
    (m[4 * row + 2] as number) * (point[2] as number) +
    (m[4 * row + 3] as number);
  return a * along(0) + b * along(1) + c * along(2) + d;
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

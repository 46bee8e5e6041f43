import { type ClipCorner, clipped } from "./clip.js";
import type { PlacedGeom } from "./placed-geoms.js";
import type { GlSettings } from "./scene.js";
import type { PlacedLight } from "./vertex-light.js";

/** Texels along the side of a cell; questions are sorted into cells. */
const CELL = 8;
const SUBPIXELS = 256;
/** `glPolygonOffset` of MuJoCo's shadow maps, and the steps of their 24 bit depth. */
const OFFSET_FACTOR = -1.5;
const OFFSET_UNITS = -4;
const DEPTH_STEPS = 2 ** 24 - 1;

/**
 * The shadow map of one light, computed only at the texels that an image asks for: the maps of MuJoCo have 4096 x 4096
 * texels, an image needs a few ten thousand. A question is a texel and a depth; its answer is whether a caster is
 * nearer to the light.
 */
export class ShadowMap {
  /** 1 where the question, by its number, is in shadow. Valid after `answer`. */
  shadowed = new Uint8Array(0);
  readonly #cells: number;
  readonly #starts: Int32Array;
  /** Texel and depth of each question. */
  #column = new Int32Array(0);
  #row = new Int32Array(0);
  #depth = new Float64Array(0);
  /** Numbers of the questions, by cell. */
  #order = new Int32Array(0);
  #count = 0;
  /** World to texture: rows for s, t, depth and the divisor. */
  readonly #matrix = new Float64Array(16);
  readonly #toMap = new Float64Array(16);
  #x = new Float64Array(0);
  #y = new Float64Array(0);
  #z = new Float64Array(0);

  constructor(private readonly size: number) {
    this.#cells = Math.ceil(size / CELL);
    this.#starts = new Int32Array(this.#cells * this.#cells + 1);
  }

  /** Starts a frame of at most `most` questions. */
  begin(light: PlacedLight, settings: GlSettings, most: number): void {
    this.#matrix.set(lightMatrix(light, settings));
    this.#count = 0;
    if (this.#column.length >= most) return;
    this.#column = new Int32Array(most);
    this.#row = new Int32Array(most);
    this.#depth = new Float64Array(most);
    this.#order = new Int32Array(most);
    this.shadowed = new Uint8Array(most);
  }

  /** Asks about the point from `first` on. Returns the question's number, or -1 if the map cannot hold a caster there. */
  ask(points: Float64Array, first: number): number {
    const x = points[first] as number;
    const y = points[first + 1] as number;
    const z = points[first + 2] as number;
    const m = this.#matrix;
    const at = (row: number) =>
      (m[row] as number) * x +
      (m[row + 1] as number) * y +
      (m[row + 2] as number) * z +
      (m[row + 3] as number);
    const q = at(12);
    const column = Math.floor((at(0) / q) * this.size);
    const row = Math.floor((at(4) / q) * this.size);
    // Outside of the map, its border is read, which casters never reach.
    const last = this.size - 1;
    if (!(column >= 1 && column < last && row >= 1 && row < last)) return -1;
    const question = this.#count++;
    this.#column[question] = column;
    this.#row[question] = row;
    this.#depth[question] = Math.min(1, Math.max(0, at(8) / q));
    return question;
  }

  /** Answers the questions of this frame. */
  answer(casters: readonly PlacedGeom[]): void {
    this.shadowed.fill(0, 0, this.#count);
    if (this.#count === 0) return;
    this.#sort();
    for (const caster of casters) this.#cast(caster);
  }

  #sort(): void {
    const starts = this.#starts.fill(0);
    const cells = this.#cells;
    const cellOf = (i: number) =>
      ((this.#row[i] as number) >> 3) * cells + ((this.#column[i] as number) >> 3);
    for (let i = 0; i < this.#count; i++) {
      const next = cellOf(i) + 1;
      starts[next] = (starts[next] as number) + 1;
    }
    for (let c = 1; c < starts.length; c++) {
      starts[c] = (starts[c] as number) + (starts[c - 1] as number);
    }
    for (let i = this.#count - 1; i >= 0; i--) {
      const cell = cellOf(i) + 1;
      const at = (starts[cell] as number) - 1;
      starts[cell] = at;
      this.#order[at] = i;
    }
    // Each entry but the first now holds the start of the cell before it.
    starts.copyWithin(0, 1);
    starts[starts.length - 1] = this.#count;
  }

  #cast({ geom, surface, pose }: PlacedGeom): void {
    const { positions, faces } = geom.mesh.outline ?? surface;
    this.#project(positions, pose);
    const [x, y, z] = [this.#x, this.#y, this.#z];
    for (let f = 0; f < faces.length; f += 3) {
      const a = faces[f] as number;
      const b = faces[f + 1] as number;
      const c = faces[f + 2] as number;
      const za = z[a] as number;
      const zb = z[b] as number;
      const zc = z[c] as number;
      if (za >= 0 && zb >= 0 && zc >= 0 && za <= 1 && zb <= 1 && zc <= 1) {
        this.#fill(
          x[a] as number,
          y[a] as number,
          za,
          x[b] as number,
          y[b] as number,
          zb,
          x[c] as number,
          y[c] as number,
          zc,
        );
        continue;
      }
      if ((za < 0 && zb < 0 && zc < 0) || (za > 1 && zb > 1 && zc > 1)) continue;
      this.#fillClipped(positions, [a, b, c]);
    }
  }

  /** Texel coordinates and depth of all vertices; vertices behind a spot get a depth above 1. */
  #project(positions: Float32Array, pose: Float64Array): void {
    const count = positions.length / 3;
    if (this.#x.length < count) {
      this.#x = new Float64Array(count);
      this.#y = new Float64Array(count);
      this.#z = new Float64Array(count);
    }
    const m = this.#toMap;
    for (let row = 0; row < 4; row++) {
      for (let column = 0; column < 4; column++) {
        let sum = column === 3 ? (this.#matrix[4 * row + 3] as number) : 0;
        for (let k = 0; k < 3; k++) {
          sum += (this.#matrix[4 * row + k] as number) * (pose[4 * k + column] as number);
        }
        m[4 * row + column] = sum;
      }
    }
    const [m0, m1, m2, m3] = [m[0], m[1], m[2], m[3]] as [number, number, number, number];
    const [m4, m5, m6, m7] = [m[4], m[5], m[6], m[7]] as [number, number, number, number];
    const [m8, m9, m10, m11] = [m[8], m[9], m[10], m[11]] as [number, number, number, number];
    const [m12, m13, m14, m15] = [m[12], m[13], m[14], m[15]] as [number, number, number, number];
    // The map is drawn within a border of one texel.
    const side = this.size - 2;
    const [x, y, z] = [this.#x, this.#y, this.#z];
    for (let i = 0, v = 0; v < count; i += 3, v++) {
      const a = positions[i] as number;
      const b = positions[i + 1] as number;
      const c = positions[i + 2] as number;
      const q = m12 * a + m13 * b + m14 * c + m15;
      const inverse = q > 0 ? 1 / q : 0;
      x[v] = 1 + (m0 * a + m1 * b + m2 * c + m3) * inverse * side;
      y[v] = 1 + (m4 * a + m5 * b + m6 * c + m7) * inverse * side;
      z[v] = q > 0 ? (m8 * a + m9 * b + m10 * c + m11) * inverse : 2;
    }
  }

  /** A triangle that crosses the near or far plane of the light, or lies partly behind a spot. */
  #fillClipped(positions: Float32Array, corners: readonly number[]): void {
    const m = this.#toMap;
    const side = this.size - 2;
    const triangle = corners.map((v): ClipCorner => {
      const at = (row: number) =>
        (m[row] as number) * (positions[3 * v] as number) +
        (m[row + 1] as number) * (positions[3 * v + 1] as number) +
        (m[row + 2] as number) * (positions[3 * v + 2] as number) +
        (m[row + 3] as number);
      return [at(0), at(4), at(8), at(12), 1];
    });
    const points = clipped(triangle).map(
      ([x, y, z, w]) => [1 + (x / w) * side, 1 + (y / w) * side, z / w] as const,
    );
    const [p] = points;
    for (let i = 1; p && i + 1 < points.length; i++) {
      const [q, r] = [points[i], points[i + 1]];
      if (q && r) this.#fill(...p, ...q, ...r);
    }
  }

  #fill(
    ax: number,
    ay: number,
    az: number,
    bx: number,
    by: number,
    bz: number,
    cx: number,
    cy: number,
    cz: number,
  ): void {
    const last = this.size - 2;
    const left = Math.max(1, Math.ceil(Math.min(ax, bx, cx) - 0.5));
    const right = Math.min(last, Math.floor(Math.max(ax, bx, cx) - 0.5));
    if (left > right) return;
    const top = Math.max(1, Math.ceil(Math.min(ay, by, cy) - 0.5));
    const bottom = Math.min(last, Math.floor(Math.max(ay, by, cy) - 0.5));
    if (top > bottom) return;
    const starts = this.#starts;
    const cells = this.#cells;
    const [firstColumn, lastColumn] = [left >> 3, right >> 3];
    let isSetUp = false;
    let [a0, b0, c0, a1, b1, c1, a2, b2, c2, zx, zy, zc] = ZEROS;
    for (let cellRow = top >> 3; cellRow <= bottom >> 3; cellRow++) {
      const from = starts[cellRow * cells + firstColumn] as number;
      const to = starts[cellRow * cells + lastColumn + 1] as number;
      if (from === to) continue;
      if (!isSetUp) {
        isSetUp = true;
        const x0 = Math.round(ax * SUBPIXELS) / SUBPIXELS - 0.5;
        const y0 = Math.round(ay * SUBPIXELS) / SUBPIXELS - 0.5;
        const x1 = Math.round(bx * SUBPIXELS) / SUBPIXELS - 0.5;
        const y1 = Math.round(by * SUBPIXELS) / SUBPIXELS - 0.5;
        const x2 = Math.round(cx * SUBPIXELS) / SUBPIXELS - 0.5;
        const y2 = Math.round(cy * SUBPIXELS) / SUBPIXELS - 0.5;
        const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
        if (area === 0) return;
        const scale = 1 / area;
        a0 = (y1 - y2) * scale;
        b0 = (x2 - x1) * scale;
        c0 = -a0 * x1 - b0 * y1;
        a1 = (y2 - y0) * scale;
        b1 = (x0 - x2) * scale;
        c1 = -a1 * x2 - b1 * y2;
        a2 = (y0 - y1) * scale;
        b2 = (x1 - x0) * scale;
        c2 = -a2 * x0 - b2 * y0;
        zx = a0 * az + a1 * bz + a2 * cz;
        zy = b0 * az + b1 * bz + b2 * cz;
        const offset =
          OFFSET_FACTOR * Math.max(Math.abs(zx), Math.abs(zy)) + OFFSET_UNITS / DEPTH_STEPS;
        zc = c0 * az + c1 * bz + c2 * cz + offset;
      }
      for (let i = from; i < to; i++) {
        const question = this.#order[i] as number;
        const column = this.#column[question] as number;
        const row = this.#row[question] as number;
        if (a0 * column + b0 * row + c0 < 0) continue;
        if (a1 * column + b1 * row + c1 < 0) continue;
        if (a2 * column + b2 * row + c2 < 0) continue;
        const z = Math.round((zx * column + zy * row + zc) * DEPTH_STEPS) / DEPTH_STEPS;
        if (z > (this.#depth[question] as number)) this.shadowed[question] = 1;
      }
    }
  }
}

const ZEROS: readonly [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/** Transforms the world to the texture: s and t from 0 to 1, and depth from 1 (near) to 0 (far). */
function lightMatrix(
  { position, direction, directional, cutoffDeg }: PlacedLight,
  { znear, zfar, shadowClip, shadowScale }: GlSettings,
): number[] {
  const length = Math.hypot(...direction) || 1;
  const f = direction.map((value) => value / length) as [number, number, number];
  // MuJoCo's choice of an upright direction: perpendicular to x, unless the light shines along x.
  const isAlongX = f[1] * f[1] + f[2] * f[2] <= 0.01;
  const up = isAlongX ? [-f[2], 0, f[0]] : [0, -f[2], f[1]];
  const s = unit(cross(f, up));
  const u = cross(s, f);
  const row = (axis: readonly number[]) => [
    ...axis,
    -axis.reduce((sum, value, i) => sum + value * (position[i] ?? 0), 0),
  ];
  const [x, y, ahead] = [row(s), row(u), row(f)];
  const mix = (a: readonly number[], by: number, b: readonly number[], and: number) =>
    a.map((value, i) => value * by + (b[i] ?? 0) * and);
  const one = [0, 0, 0, 1];
  if (directional) {
    return [
      ...mix(x, 0.5 / shadowClip, one, 0.5),
      ...mix(y, 0.5 / shadowClip, one, 0.5),
      ...mix(ahead, -1 / (zfar - znear), one, zfar / (zfar - znear)),
      ...one,
    ];
  }
  const fovy = Math.min(2 * cutoffDeg * shadowScale, 160);
  const half = Math.tan((fovy * Math.PI) / 360);
  return [
    ...mix(x, 0.5 / half, ahead, 0.5),
    ...mix(y, 0.5 / half, ahead, 0.5),
    ...mix(ahead, -znear / (zfar - znear), one, (zfar * znear) / (zfar - znear)),
    ...ahead,
  ];
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  const [ax = 0, ay = 0, az = 0] = a;
  const [bx = 0, by = 0, bz = 0] = b;
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

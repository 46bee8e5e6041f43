import { byte, type Canvas } from "./canvas.js";
import type { LitVertices } from "./lit-vertices.js";
import type { PlacedGeom, PlacedGeoms } from "./placed-geoms.js";
import {
  CUBE_FACES,
  type CubeFace,
  type CubeLookup,
  cubeFaceOf,
  place,
  sampleCube,
  trilinear,
} from "./sample.js";
import type { GlMip, GlTexture } from "./scene.js";
import type { ViewPass } from "./view-pass.js";

/** Faces whose setup is kept, by the last bits of their number: pixels at edges alternate between few faces. */
const KEPT = 1024;
/** Offsets in a setup, which is a list of planes: the sum of the weights, texture coordinates, place, colours. */
const TEXCOORDS = 3;
const WORLD = TEXCOORDS + 9;
const COLOURS = WORLD + 9;
/** The texel of faces without texture. */
const WHITE = -1;

/**
 * Colours and places of a face at a run of pixels, as OpenGL's fragments: computed at the pixels' centres. Whatever is
 * interpolated is a plane over the image, divided by the sum of the weights; the planes of recent faces are kept.
 */
export class Fragments {
  /** Colour per pixel of the run under the first set of lights, then under the second, ..., each `most` numbers. */
  colours: Canvas = new Int32Array(0);
  /** The texture's opacity per pixel, 0 to 255. */
  opacities = new Uint8Array(0);
  /** Place in the world, three numbers per pixel; only computed if there is more than one set of lights. */
  world = new Float64Array(0);
  /** Pixels of the longest run. */
  most = 0;
  readonly #lookup: CubeLookup = {
    at: new Float64Array(3),
    dx: new Float64Array(3),
    dy: new Float64Array(3),
  };
  #sets = 0;
  /** The face of each setup, its texture, and the mip levels if the face shows only one image of the texture. */
  readonly #faces = new Int32Array(KEPT);
  readonly #textures = new Array<GlTexture | undefined>(KEPT).fill(undefined);
  readonly #levels = new Array<readonly GlMip[] | undefined>(KEPT).fill(undefined);
  #setups = new Float64Array(0);
  readonly #weights = new Float64Array(9);

  constructor(
    private readonly placed: PlacedGeoms,
    private readonly pass: ViewPass,
    private readonly lit: LitVertices,
  ) {}

  /** Starts an image of a width, in which faces have moved, with a number of sets of lights. */
  begin(sets: number, width: number): void {
    this.#faces.fill(0);
    if (sets === this.#sets && width <= this.most) return;
    this.#sets = sets;
    this.most = width;
    this.colours = new Int32Array(sets * width);
    this.opacities = new Uint8Array(width);
    this.world = new Float64Array(3 * width);
    this.#setups = new Float64Array(KEPT * (COLOURS + 9 * sets));
  }

  geomOf(owner: number): PlacedGeom {
    return this.placed.geoms[this.pass.geomOfFace[owner - 1] as number] as PlacedGeom;
  }

  /** Computes the fragments of a face at the pixels of a row from column `from` to `to`. */
  shade(owner: number, row: number, from: number, to: number): void {
    const slot = owner & (KEPT - 1);
    if (this.#faces[slot] !== owner) this.#setUp(owner, slot);
    const sets = this.#sets;
    const first = slot * (COLOURS + 9 * sets);
    const { colours, opacities, most } = this;
    const p = this.#setups;
    const y = row + 0.5;
    const sumX = p[first] as number;
    const sumRow = (p[first + 1] as number) * y + (p[first + 2] as number);
    const texture = this.#textures[slot];
    const levels = this.#levels[slot];
    const isImage = texture?.kind === "image";
    for (let column = from, i = 0; column <= to; column++, i++) {
      const x = column + 0.5;
      const sum = sumX * x + sumRow;
      const scale = sum === 0 ? 0 : 1 / sum;
      let texel = WHITE;
      if (texture) {
        texel = levels
          ? this.#lookUpImage(levels, isImage, first, column, row)
          : this.#lookUpCube(texture, first, column, row);
      }
      const r = (texel & 255) * scale;
      const g = ((texel >> 8) & 255) * scale;
      const b = ((texel >> 16) & 255) * scale;
      opacities[i] = texel >>> 24;
      if (sets > 1) this.#locate(first, x, y, scale, 3 * i);
      for (let at = first + COLOURS, out = i; at < first + COLOURS + 9 * sets; at += 9) {
        colours[out] =
          byte(r * ((p[at] as number) * x + (p[at + 1] as number) * y + (p[at + 2] as number))) |
          (byte(
            g * ((p[at + 3] as number) * x + (p[at + 4] as number) * y + (p[at + 5] as number)),
          ) <<
            8) |
          (byte(
            b * ((p[at + 6] as number) * x + (p[at + 7] as number) * y + (p[at + 8] as number)),
          ) <<
            16);
        out += most;
      }
    }
  }

  #locate(first: number, x: number, y: number, scale: number, at: number): void {
    const { world } = this;
    const p = this.#setups;
    for (let k = 0, i = first + WORLD; k < 3; k++, i += 3) {
      world[at + k] =
        ((p[i] as number) * x + (p[i + 1] as number) * y + (p[i + 2] as number)) * scale;
    }
  }

  #setUp(owner: number, slot: number): void {
    const { pass, lit } = this;
    const placed = this.geomOf(owner);
    const face = 3 * (owner - 1);
    const a = pass.corners[face] as number;
    const b = pass.corners[face + 1] as number;
    const c = pass.corners[face + 2] as number;
    lit.light(a, placed);
    lit.light(b, placed);
    lit.light(c, placed);
    const n = this.#weights;
    pass.weightsInto(n, owner);
    const first = slot * (COLOURS + 9 * this.#sets);
    for (let m = 0; m < 3; m++) {
      this.#setups[first + m] = (n[m] as number) + (n[3 + m] as number) + (n[6 + m] as number);
    }
    const { texcoords } = placed.geom.mesh;
    const texture = texcoords && placed.geom.material.texture;
    this.#faces[slot] = owner;
    this.#textures[slot] = texture;
    if (texture) this.#setUpTexture(texture, slot, first, placed);
    if (this.#sets > 1) this.#planes(first + WORLD, lit.world, 3, a, b, c);
    for (let s = 0; s < this.#sets; s++) {
      this.#planes(first + COLOURS + 9 * s, lit.colours[s] as Float32Array, 3, a, b, c);
    }
  }

  #setUpTexture(texture: GlTexture, slot: number, first: number, placed: PlacedGeom): void {
    const { mesh } = placed.geom;
    const texcoords = mesh.texcoords as Float32Array;
    const face = 3 * ((this.#faces[slot] as number) - 1 - placed.firstFace);
    const a = mesh.faces[face] as number;
    const b = mesh.faces[face + 1] as number;
    const c = mesh.faces[face + 2] as number;
    const p = this.#setups;
    const at = first + TEXCOORDS;
    if (texture.kind === "image") {
      this.#planes(at, texcoords, 2, a, b, c);
      p.copyWithin(at + 6, first, first + 3);
      this.#levels[slot] = texture.faces[0];
      return;
    }
    this.#planes(at, texcoords, 3, a, b, c);
    const side = soleCubeFace(texcoords, a, b, c);
    this.#levels[slot] = texture.faces[side];
    if (side < 0) return;
    // With the directions on one side, (s + 1) / 2 is a quotient of planes, as s of an image is.
    const { major, sAxis, tAxis, sSign, tSign } = CUBE_FACES[side] as CubeFace;
    const sign = side & 1 ? -1 : 1;
    for (let m = 0; m < 3; m++) {
      const s = sSign * (p[at + 3 * sAxis + m] as number);
      const t = tSign * (p[at + 3 * tAxis + m] as number);
      const divisor = sign * (p[at + 3 * major + m] as number);
      p[at + m] = s + divisor;
      p[at + 3 + m] = t + divisor;
      p[at + 6 + m] = 2 * divisor;
    }
  }

  /** Writes the planes of `width` numbers per vertex, known at the corners a, b and c. */
  #planes(
    at: number,
    values: Float32Array | Float64Array,
    width: number,
    a: number,
    b: number,
    c: number,
  ): void {
    const n = this.#weights;
    const out = this.#setups;
    for (let k = 0, i = at; k < width; k++, i += 3) {
      const p = values[width * a + k] as number;
      const q = values[width * b + k] as number;
      const r = values[width * c + k] as number;
      out[i] = p * (n[0] as number) + q * (n[3] as number) + r * (n[6] as number);
      out[i + 1] = p * (n[1] as number) + q * (n[4] as number) + r * (n[7] as number);
      out[i + 2] = p * (n[2] as number) + q * (n[5] as number) + r * (n[8] as number);
    }
  }

  /** s, t and their divisor are planes. */
  #lookUpImage(
    levels: readonly GlMip[],
    repeat: boolean,
    first: number,
    column: number,
    row: number,
  ): number {
    const p = this.#setups;
    const i = first + TEXCOORDS;
    const x = column + 0.5;
    const y = row + 0.5;
    const sx = p[i] as number;
    const sy = p[i + 1] as number;
    const tx = p[i + 3] as number;
    const ty = p[i + 4] as number;
    const dx = p[i + 6] as number;
    const dy = p[i + 7] as number;
    const divisor = dx * x + dy * y + (p[i + 8] as number);
    const scale = divisor === 0 ? 0 : 1 / divisor;
    const s = (sx * x + sy * y + (p[i + 2] as number)) * scale;
    const t = (tx * x + ty * y + (p[i + 5] as number)) * scale;
    const { width, height } = levels[0] as GlMip;
    const w = width * scale;
    const h = height * scale;
    const sAlongX = (sx - s * dx) * w;
    const tAlongX = (tx - t * dx) * h;
    const sAlongY = (sy - s * dy) * w;
    const tAlongY = (ty - t * dy) * h;
    place[0] = repeat ? s - Math.floor(s) : s;
    place[1] = repeat ? t - Math.floor(t) : t;
    place[2] = Math.max(
      sAlongX * sAlongX + tAlongX * tAlongX,
      sAlongY * sAlongY + tAlongY * tAlongY,
    );
    return trilinear(levels, repeat);
  }

  #lookUpCube(texture: GlTexture, first: number, column: number, row: number): number {
    const p = this.#setups;
    const { at, dx, dy } = this.#lookup;
    const x = column + 0.5;
    const y = row + 0.5;
    const sumX = p[first] as number;
    const sumY = p[first + 1] as number;
    const sum = sumX * x + sumY * y + (p[first + 2] as number);
    const scale = sum === 0 ? 0 : 1 / sum;
    for (let t = 0, i = first + TEXCOORDS; t < 3; t++, i += 3) {
      const fx = p[i] as number;
      const fy = p[i + 1] as number;
      const value = (fx * x + fy * y + (p[i + 2] as number)) * scale;
      at[t] = value;
      dx[t] = (fx - value * sumX) * scale;
      dy[t] = (fy - value * sumY) * scale;
    }
    return sampleCube(texture, this.#lookup);
  }
}

/** The side of a cube map that three directions point to, or -1 if they do not point to one. */
function soleCubeFace(texcoords: Float32Array, a: number, b: number, c: number): number {
  const sideOf = (v: number) =>
    cubeFaceOf(
      texcoords[3 * v] as number,
      texcoords[3 * v + 1] as number,
      texcoords[3 * v + 2] as number,
    );
  const side = sideOf(a);
  return sideOf(b) === side && sideOf(c) === side ? side : -1;
}

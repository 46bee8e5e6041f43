import { byte, type Canvas } from "./canvas.js";
import type { LitVertices } from "./lit-vertices.js";
import type { PlacedGeom, PlacedGeoms } from "./placed-geoms.js";
import {
  COORDINATE,
  CUBE_FACES,
  type CubeFace,
  type CubeLookup,
  cubeFaceOf,
  SPAN,
  sampleCube,
  trilinear,
  WIDEST,
} from "./sample.js";
import type { GlMipMap, GlTexture } from "./scene.js";
import type { ViewPass } from "./view-pass.js";

/** Faces whose setup is kept, by the last bits of their number: pixels at edges alternate between few faces. */
const KEPT = 1024;
/** Offsets in a setup, which is a list of planes: the sum of the weights, texture coordinates, place, colours. */
const TEXCOORDS = 3;
const WORLD = TEXCOORDS + 9;
const COLOURS = WORLD + 9;
/** Rounding of texture coordinates. */
const EDGE = 1e-6;
/** The texel of faces without texture. */
const WHITE = -1;

/**
 * Colours and places of a face at a run of pixels, as OpenGL's fragments: computed at the pixels' centres. Whatever is
 * interpolated is a plane over the image, divided by the sum of the weights; the planes of recent faces are kept.
 */
export class Fragments {
  /** Colour per pixel of the run under the first set of lights, then under the second, ..., each `most` numbers. */
  colours: Canvas = new Int32Array(0);
  /** The texture's colour per pixel, with its opacity in the highest byte. */
  texels = new Int32Array(0);
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
  /** The face of each setup, its texture, and the image of the texture if the face shows only one. */
  readonly #faces = new Int32Array(KEPT);
  readonly #textures = new Array<GlTexture | undefined>(KEPT).fill(undefined);
  readonly #images = new Array<GlMipMap | undefined>(KEPT).fill(undefined);
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
    this.texels = new Int32Array(width);
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
    const count = to - from + 1;
    const texture = this.#textures[slot];
    const image = this.#images[slot];
    if (!texture) for (let i = 0; i < count; i++) this.texels[i] = WHITE;
    else if (image) this.#lookUpImage(image, texture.kind === "image", first, row, from, count);
    else this.#lookUpCube(texture, first, row, from, count);
    for (let set = 0; set < sets; set++) this.#colour(first, set, row, from, count);
    if (sets > 1) this.#locate(first, row, from, count);
  }

  /** Multiplies texels and light. */
  #colour(first: number, set: number, row: number, from: number, count: number): void {
    const { colours, texels } = this;
    const p = this.#setups;
    const at = first + COLOURS + 9 * set;
    const out = set * this.most;
    const x = from + 0.5;
    const y = row + 0.5;
    const sumX = p[first] as number;
    const redX = p[at] as number;
    const greenX = p[at + 3] as number;
    const blueX = p[at + 6] as number;
    let sum = sumX * x + (p[first + 1] as number) * y + (p[first + 2] as number);
    let red = redX * x + (p[at + 1] as number) * y + (p[at + 2] as number);
    let green = greenX * x + (p[at + 4] as number) * y + (p[at + 5] as number);
    let blue = blueX * x + (p[at + 7] as number) * y + (p[at + 8] as number);
    for (let i = 0; i < count; i++) {
      const scale = sum === 0 ? 0 : 1 / sum;
      const texel = texels[i] as number;
      const r = byte((texel & 255) * scale * red);
      const g = byte(((texel >> 8) & 255) * scale * green);
      const b = byte(((texel >> 16) & 255) * scale * blue);
      colours[out + i] = r | (g << 8) | (b << 16);
      sum += sumX;
      red += redX;
      green += greenX;
      blue += blueX;
    }
  }

  #locate(first: number, row: number, from: number, count: number): void {
    const { world } = this;
    const p = this.#setups;
    const y = row + 0.5;
    for (let i = 0; i < count; i++) {
      const x = from + i + 0.5;
      const sum =
        (p[first] as number) * x + (p[first + 1] as number) * y + (p[first + 2] as number);
      const scale = sum === 0 ? 0 : 1 / sum;
      for (let k = 0, at = first + WORLD; k < 3; k++, at += 3) {
        const value = (p[at] as number) * x + (p[at + 1] as number) * y + (p[at + 2] as number);
        world[3 * i + k] = value * scale;
      }
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
      this.#images[slot] = texture.faces[0];
      return;
    }
    this.#planes(at, texcoords, 3, a, b, c);
    const side = soleCubeFace(texcoords, a, b, c);
    this.#images[slot] = texture.faces[side];
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
    image: GlMipMap,
    repeat: boolean,
    first: number,
    row: number,
    from: number,
    count: number,
  ): void {
    const { texels } = this;
    const p = this.#setups;
    const at = first + TEXCOORDS;
    const x = from + 0.5;
    const y = row + 0.5;
    const sx = p[at] as number;
    const sy = p[at + 1] as number;
    const tx = p[at + 3] as number;
    const ty = p[at + 4] as number;
    const dx = p[at + 6] as number;
    const dy = p[at + 7] as number;
    const width = image.levels[1] as number;
    const height = image.levels[2] as number;
    let along = sx * x + sy * y + (p[at + 2] as number);
    let across = tx * x + ty * y + (p[at + 5] as number);
    let divisor = dx * x + dy * y + (p[at + 8] as number);
    let span = 0;
    for (let i = 0; i < count; i++) {
      const scale = divisor === 0 ? 0 : 1 / divisor;
      const s = along * scale;
      const t = across * scale;
      // Mesa, too, selects the level for more than one pixel.
      if (i === 0 || ((from + i) & 1) === 0) {
        const w = width * scale;
        const h = height * scale;
        const sAlongX = (sx - s * dx) * w;
        const tAlongX = (tx - t * dx) * h;
        const sAlongY = (sy - s * dy) * w;
        const tAlongY = (ty - t * dy) * h;
        const square = Math.max(
          sAlongX * sAlongX + tAlongX * tAlongX,
          sAlongY * sAlongY + tAlongY * tAlongY,
        );
        span = Math.min(square * SPAN, WIDEST) | 0;
      }
      texels[i] = trilinear(
        image,
        ((repeat ? s - Math.floor(s) : Math.min(Math.max(s, 0), 1)) * COORDINATE) | 0,
        ((repeat ? t - Math.floor(t) : Math.min(Math.max(t, 0), 1)) * COORDINATE) | 0,
        span,
      );
      along += sx;
      across += tx;
      divisor += dx;
    }
  }

  #lookUpCube(texture: GlTexture, first: number, row: number, from: number, count: number): void {
    const p = this.#setups;
    const { at, dx, dy } = this.#lookup;
    const y = row + 0.5;
    const sumX = p[first] as number;
    const sumY = p[first + 1] as number;
    for (let i = 0; i < count; i++) {
      const x = from + i + 0.5;
      const sum = sumX * x + sumY * y + (p[first + 2] as number);
      const scale = sum === 0 ? 0 : 1 / sum;
      for (let t = 0, plane = first + TEXCOORDS; t < 3; t++, plane += 3) {
        const fx = p[plane] as number;
        const fy = p[plane + 1] as number;
        const value = (fx * x + fy * y + (p[plane + 2] as number)) * scale;
        at[t] = value;
        dx[t] = (fx - value * sumX) * scale;
        dy[t] = (fy - value * sumY) * scale;
      }
      this.texels[i] = sampleCube(texture, this.#lookup);
    }
  }
}

/** The side of a cube map that three directions point to, or -1 if they do not point to one. */
function soleCubeFace(texcoords: Float32Array, a: number, b: number, c: number): number {
  const middle = (k: number) =>
    (texcoords[3 * a + k] as number) +
    (texcoords[3 * b + k] as number) +
    (texcoords[3 * c + k] as number);
  const side = cubeFaceOf(middle(0), middle(1), middle(2));
  const { major, sAxis, tAxis } = CUBE_FACES[side] as CubeFace;
  // Directions along an edge of the cube point to both sides.
  const isWithin = (v: number) => {
    const along = (texcoords[3 * v + major] as number) * (side & 1 ? -1 : 1) * (1 + EDGE);
    const s = Math.abs(texcoords[3 * v + sAxis] as number);
    return along >= s && along >= Math.abs(texcoords[3 * v + tAxis] as number);
  };
  return isWithin(a) && isWithin(b) && isWithin(c) ? side : -1;
}

import type { LitVertices } from "./lit-vertices.js";
import type { PlacedGeom, PlacedGeoms } from "./placed-geoms.js";
import { sampleCube, sampleImage } from "./sample.js";
import type { GlTexture } from "./scene.js";
import type { ViewPass } from "./view-pass.js";

/**
 * Colour and place of a face at one pixel, as OpenGL's fragments: computed at the pixel's centre. Neighbouring pixels
 * mostly show the same face, so what depends on the face alone is kept.
 */
export class Fragments {
  /** r, g, b of each set of lights, 0 to 1, times the texture. */
  readonly colours: Float64Array[] = [];
  /** The texture's opacity, 0 to 1. */
  opacity = 1;
  /** Place in the world; only computed if more than one set of lights is. */
  readonly world = new Float64Array(3);
  readonly #texel = new Float64Array(4);
  readonly #lookup = {
    at: new Float64Array(3),
    dx: new Float64Array(3),
    dy: new Float64Array(3),
  };
  /** The face, and its weights as functions of the pixel. */
  #face = 0;
  #a = 0;
  #b = 0;
  #c = 0;
  #texture: GlTexture | undefined;
  readonly #weights = new Float64Array(9);
  /** Texture coordinates, times the divisor of the weights, as functions of the pixel: three numbers each. */
  readonly #texcoords = new Float64Array(9);

  constructor(
    private readonly placed: PlacedGeoms,
    private readonly pass: ViewPass,
    private readonly lit: LitVertices,
  ) {}

  /** Starts an image: faces have moved. */
  begin(): void {
    this.#face = 0;
  }

  geomOf(owner: number): PlacedGeom {
    return this.placed.geoms[this.pass.geomOfFace[owner - 1] as number] as PlacedGeom;
  }

  /** Computes the fragment of a face at the pixel (column, row) for the first `sets` sets of lights. */
  shade(owner: number, column: number, row: number, sets: number): void {
    if (owner !== this.#face) this.#setUp(owner);
    const x = column + 0.5;
    const y = row + 0.5;
    const n = this.#weights;
    const nu = (n[0] as number) * x + (n[1] as number) * y + (n[2] as number);
    const nv = (n[3] as number) * x + (n[4] as number) * y + (n[5] as number);
    const nw = (n[6] as number) * x + (n[7] as number) * y + (n[8] as number);
    const sum = nu + nv + nw;
    const scale = sum === 0 ? 0 : 1 / sum;
    const u = nu * scale;
    const v = nv * scale;
    const w = nw * scale;
    let r = 1;
    let g = 1;
    let b = 1;
    if (this.#texture) {
      this.#lookUp(this.#texture, x, y, sum);
      const texel = this.#texel;
      r = (texel[0] as number) / 255;
      g = (texel[1] as number) / 255;
      b = (texel[2] as number) / 255;
      this.opacity = (texel[3] as number) / 255;
    } else this.opacity = 1;
    const i = 3 * this.#a;
    const j = 3 * this.#b;
    const k = 3 * this.#c;
    const { world, colours } = this.lit;
    if (sets > 1) {
      const place = this.world;
      place[0] = u * (world[i] as number) + v * (world[j] as number) + w * (world[k] as number);
      place[1] =
        u * (world[i + 1] as number) + v * (world[j + 1] as number) + w * (world[k + 1] as number);
      place[2] =
        u * (world[i + 2] as number) + v * (world[j + 2] as number) + w * (world[k + 2] as number);
    }
    while (this.colours.length < sets) this.colours.push(new Float64Array(3));
    for (let s = 0; s < sets; s++) {
      const from = colours[s] as Float32Array;
      const out = this.colours[s] as Float64Array;
      out[0] = r * (u * (from[i] as number) + v * (from[j] as number) + w * (from[k] as number));
      out[1] =
        g *
        (u * (from[i + 1] as number) + v * (from[j + 1] as number) + w * (from[k + 1] as number));
      out[2] =
        b *
        (u * (from[i + 2] as number) + v * (from[j + 2] as number) + w * (from[k + 2] as number));
    }
  }

  #setUp(owner: number): void {
    const pass = this.pass;
    const placed = this.geomOf(owner);
    const face = 3 * (owner - 1);
    this.#face = owner;
    this.#a = pass.corners[face] as number;
    this.#b = pass.corners[face + 1] as number;
    this.#c = pass.corners[face + 2] as number;
    this.lit.light(this.#a, placed);
    this.lit.light(this.#b, placed);
    this.lit.light(this.#c, placed);
    const n = this.#weights;
    pass.weightsInto(n, owner);
    const { texcoords } = placed.geom.mesh;
    const { texture } = placed.geom.material;
    this.#texture = texcoords ? texture : undefined;
    if (!texcoords || !texture) return;
    const width = texture.kind === "cube" ? 3 : 2;
    const i = width * (this.#a - placed.firstVertex);
    const j = width * (this.#b - placed.firstVertex);
    const k = width * (this.#c - placed.firstVertex);
    for (let t = 0; t < width; t++) {
      const p = texcoords[i + t] as number;
      const q = texcoords[j + t] as number;
      const r = texcoords[k + t] as number;
      for (let m = 0; m < 3; m++) {
        this.#texcoords[3 * t + m] =
          p * (n[m] as number) + q * (n[3 + m] as number) + r * (n[6 + m] as number);
      }
    }
  }

  /** @param sum of the weights' numerators at (x, y) */
  #lookUp(texture: GlTexture, x: number, y: number, sum: number): void {
    const n = this.#weights;
    const f = this.#texcoords;
    const { at, dx, dy } = this.#lookup;
    // OpenGL compares the pixels of aligned squares of two by two.
    const right = Math.floor(x) & 1 ? -1 : 1;
    const down = Math.floor(y) & 1 ? -1 : 1;
    const here = sum === 0 ? 0 : 1 / sum;
    const sumX = sum + right * ((n[0] as number) + (n[3] as number) + (n[6] as number));
    const sumY = sum + down * ((n[1] as number) + (n[4] as number) + (n[7] as number));
    const beside = sumX === 0 ? 0 : 1 / sumX;
    const below = sumY === 0 ? 0 : 1 / sumY;
    const width = texture.kind === "cube" ? 3 : 2;
    for (let t = 0; t < width; t++) {
      const fx = f[3 * t] as number;
      const fy = f[3 * t + 1] as number;
      const value = fx * x + fy * y + (f[3 * t + 2] as number);
      const centre = value * here;
      at[t] = centre;
      dx[t] = ((value + right * fx) * beside - centre) * right;
      dy[t] = ((value + down * fy) * below - centre) * down;
    }
    if (width === 3) sampleCube(texture, this.#lookup, this.#texel);
    else {
      sampleImage(
        texture,
        at[0] as number,
        at[1] as number,
        dx[0] as number,
        dx[1] as number,
        dy[0] as number,
        dy[1] as number,
        this.#texel,
      );
    }
  }
}

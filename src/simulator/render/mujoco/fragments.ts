import type { LitVertices } from "./lit-vertices.js";
import type { PlacedGeom, PlacedGeoms } from "./placed-geoms.js";
import { sampleCube, sampleImage } from "./sample.js";
import type { GlTexture } from "./scene.js";
import type { ViewPass } from "./view-pass.js";

/** Colour and place of a face at one pixel, as OpenGL's fragment: computed at the pixel's centre. */
export class Fragments {
  /** r, g, b of each set of lights, 0 to 1, times the texture. */
  readonly colours: Float64Array[] = [];
  /** The texture's opacity, 0 to 1. */
  opacity = 1;
  readonly world = new Float64Array(3);
  readonly #placed: PlacedGeoms;
  readonly #pass: ViewPass;
  readonly #lit: LitVertices;
  readonly #texel = new Float64Array(4);
  readonly #at = new Float64Array(3);
  readonly #dx = new Float64Array(3);
  readonly #dy = new Float64Array(3);

  constructor(placed: PlacedGeoms, pass: ViewPass, lit: LitVertices) {
    this.#placed = placed;
    this.#pass = pass;
    this.#lit = lit;
  }

  geomOf(owner: number): PlacedGeom {
    return this.#placed.geoms[this.#pass.geomOfFace[owner - 1] as number] as PlacedGeom;
  }

  /** Computes the fragment of a face at the pixel (column, row) for the first `sets` sets of lights. */
  shade(owner: number, column: number, row: number, sets: number): void {
    const pass = this.#pass;
    const lit = this.#lit;
    const placed = this.geomOf(owner);
    const face = 3 * (owner - 1);
    const a = pass.corners[face] as number;
    const b = pass.corners[face + 1] as number;
    const c = pass.corners[face + 2] as number;
    lit.light(a, placed);
    lit.light(b, placed);
    lit.light(c, placed);
    const { texture } = placed.geom.material;
    const texcoords = placed.geom.mesh.texcoords;
    const texel = this.#texel;
    let isTextured = false;
    if (texture && texcoords) {
      this.#lookUp(owner, column, row, placed, texture, texcoords);
      isTextured = true;
      this.opacity = (texel[3] as number) / 255;
    } else this.opacity = 1;
    pass.weightsAt(owner, column + 0.5, row + 0.5);
    const u = pass.weights[0] as number;
    const v = pass.weights[1] as number;
    const w = pass.weights[2] as number;
    const { world } = lit;
    for (let k = 0; k < 3; k++) {
      this.world[k] =
        u * (world[3 * a + k] as number) +
        v * (world[3 * b + k] as number) +
        w * (world[3 * c + k] as number);
    }
    while (this.colours.length < sets) this.colours.push(new Float64Array(3));
    for (let s = 0; s < sets; s++) {
      const from = lit.colours[s] as Float32Array;
      const out = this.colours[s] as Float64Array;
      for (let k = 0; k < 3; k++) {
        const value =
          u * (from[3 * a + k] as number) +
          v * (from[3 * b + k] as number) +
          w * (from[3 * c + k] as number);
        out[k] = isTextured ? (value * (texel[k] as number)) / 255 : value;
      }
    }
  }

  #lookUp(
    owner: number,
    column: number,
    row: number,
    { firstVertex }: PlacedGeom,
    texture: GlTexture,
    texcoords: Float32Array,
  ): void {
    const width = texture.kind === "cube" ? 3 : 2;
    const [at, dx, dy] = [this.#at, this.#dx, this.#dy];
    this.#interpolate(owner, column + 0.5, row + 0.5, firstVertex, texcoords, width, at);
    // OpenGL compares the pixels of aligned squares of two by two.
    const right = column % 2 === 0 ? 1 : -1;
    const down = row % 2 === 0 ? 1 : -1;
    this.#interpolate(owner, column + 0.5 + right, row + 0.5, firstVertex, texcoords, width, dx);
    this.#interpolate(owner, column + 0.5, row + 0.5 + down, firstVertex, texcoords, width, dy);
    for (let k = 0; k < width; k++) {
      dx[k] = ((dx[k] as number) - (at[k] as number)) * right;
      dy[k] = ((dy[k] as number) - (at[k] as number)) * down;
    }
    if (width === 3) sampleCube(texture, { at, dx, dy }, this.#texel);
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

  #interpolate(
    owner: number,
    px: number,
    py: number,
    firstVertex: number,
    texcoords: Float32Array,
    width: number,
    out: Float64Array,
  ): void {
    const pass = this.#pass;
    pass.weightsAt(owner, px, py);
    const face = 3 * (owner - 1);
    const a = width * ((pass.corners[face] as number) - firstVertex);
    const b = width * ((pass.corners[face + 1] as number) - firstVertex);
    const c = width * ((pass.corners[face + 2] as number) - firstVertex);
    for (let k = 0; k < width; k++) {
      out[k] =
        (pass.weights[0] as number) * (texcoords[a + k] as number) +
        (pass.weights[1] as number) * (texcoords[b + k] as number) +
        (pass.weights[2] as number) * (texcoords[c + k] as number);
    }
  }
}

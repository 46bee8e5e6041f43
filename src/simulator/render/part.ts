import type { Material, ScenePart } from "../scenes/model.js";
import { type Box, moveBox } from "./box.js";
import { type Chunk, checkIndices, chunksOf } from "./chunks.js";
import { type Glow, glowOf } from "./emission.js";
import { withFlatNormals } from "./flat-normals.js";
import { FULL_LIGHT, lightTowards } from "./lighting.js";
import { leavesImage, type Sampler, samplerOf } from "./sampler.js";
import { type MipTexture, mipsOf, WHITE } from "./texture.js";
import { type Affine, affineOf, isMirror, normalMatrix } from "./transform.js";

/**
 * A part of the scene prepared for rendering. Data that depends on its transform is cached until it moves.
 */
export class RenderPart {
  readonly material: Material;
  readonly instance: number;
  readonly chunks: readonly PlacedChunk[];
  /** Texels with an opacity below this, 0 to 255, are holes. */
  readonly minAlpha: number;
  /** How its texture is read; undefined if it repeats and shows the nearest texel. */
  readonly sampler: Sampler | undefined;
  /** The light that it gives off. */
  readonly glow: Glow | undefined;
  world: Affine;
  /** Whether the transform mirrors the part, so that its front faces are clockwise. */
  mirrored: boolean;
  /** The matrix that rotates its normals into the world. */
  normalRows: Float64Array;
  readonly #where: string;
  readonly #textured: boolean;
  #mips: MipTexture | undefined;

  constructor(part: ScenePart, index: number) {
    const { material } = part;
    this.#where = `part ${index} of the scene (material "${material.name}")`;
    this.#textured = material.texture !== undefined && part.mesh.uvs !== undefined;
    this.material = material;
    this.instance = part.instance;
    this.minAlpha = 127.5 / Math.max(material.color[3], 1e-6);
    checkIndices(part.mesh, this.#where);
    const mesh = material.unlit || part.mesh.normals ? part.mesh : withFlatNormals(part.mesh);
    this.world = affineOf(part.transform, this.#where);
    this.mirrored = isMirror(this.world);
    this.normalRows = normalMatrix(this.world);
    const { texture, emission, unlit } = material;
    const { uvs } = mesh;
    const leaves = leavesImage(texture, uvs) || leavesImage(emission?.texture, uvs);
    this.sampler = texture && samplerOf(texture, leaves);
    this.glow = emission && !unlit ? glowOf(emission, uvs !== undefined) : undefined;
    this.chunks = chunksOf(mesh, opaqueTriangles(part), !leaves).map(
      (chunk) => new PlacedChunk(this, chunk),
    );
  }

  move(transform: readonly number[]): void {
    this.world = affineOf(transform, this.#where);
    this.mirrored = isMirror(this.world);
    this.normalRows = normalMatrix(this.world);
    for (const chunk of this.chunks) chunk.place();
  }

  /** Its texture at all mip levels; created on first use. */
  get mips(): MipTexture {
    const { texture } = this.material;
    this.#mips ??= texture && this.#textured ? mipsOf(texture) : WHITE;
    return this.#mips;
  }

  /** Whether some of its texels are holes, so that coverage depends on its texture. */
  get hasHoles(): boolean {
    return this.#textured && this.mips.minAlpha < this.minAlpha;
  }
}

/** A chunk at its current transform, with its light there. */
export class PlacedChunk {
  /** In world coordinates. */
  readonly box: Box = new Float64Array(6);
  #front: Float32Array | undefined;
  #back: Float32Array | undefined;

  constructor(
    readonly part: RenderPart,
    readonly chunk: Chunk,
  ) {
    this.place();
  }

  place(): void {
    moveBox(this.chunk.box, this.part.world, this.box);
    this.#front = undefined;
    this.#back = undefined;
  }

  /** r, g, b of each vertex, up to 256: material, vertex colour and light, for the front side. */
  get front(): Float32Array {
    this.#front ??= litColors(this, 1);
    return this.#front;
  }

  /** r, g, b of each vertex for the back side. */
  get back(): Float32Array {
    this.#back ??= litColors(this, -1);
    return this.#back;
  }
}

function litColors({ part, chunk }: PlacedChunk, side: 1 | -1): Float32Array {
  const { normals, colors } = chunk;
  const rows = part.normalRows;
  const light = new Float64Array(3).fill(1);
  const out = new Float32Array(chunk.positions.length);
  for (let at = 0; at < out.length; at += 3) {
    if (normals && !part.material.unlit) {
      const x = dot(rows, 0, normals, at);
      const y = dot(rows, 3, normals, at);
      const z = dot(rows, 6, normals, at);
      const scale = side / Math.max(Math.sqrt(x * x + y * y + z * z), 1e-30);
      lightTowards(x * scale, y * scale, z * scale, light);
    }
    for (let channel = 0; channel < 3; channel++) {
      const own = colors ? (colors[(at / 3) * 4 + channel] as number) / 255 : 1;
      const value = (part.material.color[channel] as number) * own * (light[channel] as number);
      out[at + channel] = Math.min(Math.max(value, 0), 1) * FULL_LIGHT;
    }
  }
  return out;
}

function dot(rows: Float64Array, row: number, vectors: Float32Array, at: number): number {
  return (
    (rows[row] as number) * (vectors[at] as number) +
    (rows[row + 1] as number) * (vectors[at + 1] as number) +
    (rows[row + 2] as number) * (vectors[at + 2] as number)
  );
}

/** Omits triangles that are less than half opaque, by their material and the mean of their vertices. */
function opaqueTriangles({ mesh, material }: ScenePart): Uint32Array {
  const { indices, colors } = mesh;
  const all = Uint32Array.from({ length: Math.floor(indices.length / 3) }, (_, i) => i);
  const opacity = material.color[3];
  const alpha = (corner: number) => colors?.[(indices[corner] as number) * 4 + 3] ?? 255;
  return all.filter((t) => {
    const vertices = colors ? (alpha(t * 3) + alpha(t * 3 + 1) + alpha(t * 3 + 2)) / 765 : 1;
    return opacity * vertices >= 0.5;
  });
}

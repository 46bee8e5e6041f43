import type { GlMesh } from "./scene.js";

type Vec = readonly [number, number, number];

/** One corner: position, normal, and the coordinates of an image and of a cube map. */
export interface Corner {
  readonly at: Vec;
  readonly normal: Vec;
  readonly uv: readonly [number, number];
  /** Position before scaling, which cube maps are looked up by; `at` without it. */
  readonly cube?: Vec;
}

/** Which texture coordinates a mesh gets. */
export type TexcoordKind = "image" | "cube" | undefined;

/** Collects triangles and quads. Equal corners become one vertex, so that each is lit once. */
export class MeshBuilder {
  readonly #known = new Map<string, number>();
  readonly #positions: number[] = [];
  readonly #normals: number[] = [];
  readonly #texcoords: number[] = [];
  readonly #faces: number[] = [];

  constructor(private readonly kind: TexcoordKind) {}

  triangle(a: Corner, b: Corner, c: Corner): void {
    this.#faces.push(this.#vertex(a), this.#vertex(b), this.#vertex(c));
  }

  /** Divided as Mesa divides quads: along the second and fourth corner. */
  quad(a: Corner, b: Corner, c: Corner, d: Corner): void {
    this.triangle(a, b, d);
    this.triangle(b, c, d);
  }

  build(outline?: GlMesh["outline"]): GlMesh {
    return {
      positions: Float32Array.from(this.#positions),
      normals: Float32Array.from(this.#normals),
      texcoords: this.kind && Float32Array.from(this.#texcoords),
      faces: Uint32Array.from(this.#faces),
      outline,
    };
  }

  #vertex({ at, normal, uv, cube = at }: Corner): number {
    const texcoord = this.kind === "image" ? uv : this.kind === "cube" ? cube : [];
    const key = [...at, ...normal, ...texcoord].join(" ");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const index = this.#positions.length / 3;
    this.#positions.push(...at);
    const length = Math.hypot(...normal) || 1;
    this.#normals.push(normal[0] / length, normal[1] / length, normal[2] / length);
    this.#texcoords.push(...texcoord);
    this.#known.set(key, index);
    return index;
  }
}

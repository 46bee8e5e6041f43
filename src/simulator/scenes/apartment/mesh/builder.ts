import type { Vec3 } from "../../../../core/math/vec3.js";
import type { Material, ScenePart } from "../../model.js";

/** A material and how many metres one repetition of its texture covers. */
export interface Surface {
  readonly material: Material;
  readonly repeatM: readonly [u: number, v: number];
}

/** Where an object stands: its own axes have y up and its front along +z. */
export interface Stand {
  readonly at: Vec3;
  /** Radians about +y; quarter turns are exact. */
  readonly turnRad: number;
}

export type Rgb = readonly [number, number, number];

interface Group {
  readonly positions: number[];
  readonly normals: number[];
  readonly uvs: number[];
  readonly colors: number[];
  readonly indices: number[];
}

const QUARTER = Math.PI / 2;

/** Light that a vertex gets, 0 to 1, by its own coordinates and the normal there. */
export type Shade = (x: number, y: number, z: number) => number;

/** Collects the triangles of one object, a mesh for each material. */
export class MeshBuilder {
  readonly #groups = new Map<Material, Group>();
  readonly #at: Vec3;
  readonly #cos: number;
  readonly #sin: number;
  readonly #shade: Shade | undefined;
  /** Multiplies every colour that follows. */
  tint: Rgb = [1, 1, 1];

  constructor(stand: Stand = { at: [0, 0, 0], turnRad: 0 }, shade?: Shade) {
    this.#at = stand.at;
    const quarters = Math.round(stand.turnRad / QUARTER);
    const exact = Math.abs(stand.turnRad - quarters * QUARTER) < 1e-9;
    const q = ((quarters % 4) + 4) % 4;
    this.#cos = exact ? ([1, 0, -1, 0][q] ?? 1) : Math.cos(stand.turnRad);
    this.#sin = exact ? ([0, 1, 0, -1][q] ?? 0) : Math.sin(stand.turnRad);
    this.#shade = shade;
  }

  /** Adds a vertex in the object's own axes and gives its index within the material's mesh. */
  vertex(surface: Surface, p: Vec3, n: Vec3, u: number, v: number, light = 1): number {
    const group = this.#group(surface.material);
    const [x, y, z] = p;
    group.positions.push(
      this.#at[0] + x * this.#cos + z * this.#sin,
      this.#at[1] + y,
      this.#at[2] - x * this.#sin + z * this.#cos,
    );
    group.normals.push(
      n[0] * this.#cos + n[2] * this.#sin,
      n[1],
      n[2] * this.#cos - n[0] * this.#sin,
    );
    group.uvs.push(u, v);
    const lit = light * (this.#shade ? this.#shade(x, y, z) : 1) * 255;
    const [r, g, b] = this.tint;
    group.colors.push(byte(lit * r), byte(lit * g), byte(lit * b), 255);
    return group.positions.length / 3 - 1;
  }

  triangle(surface: Surface, a: number, b: number, c: number): void {
    this.#group(surface.material).indices.push(a, b, c);
  }

  parts(instance: number, options: { readonly solid?: false } = {}): ScenePart[] {
    return [...this.#groups]
      .filter(([, group]) => group.indices.length > 0)
      .map(([material, group]) => ({
        instance,
        material,
        mesh: {
          positions: Float32Array.from(group.positions),
          indices: Uint32Array.from(group.indices),
          normals: Float32Array.from(group.normals),
          uvs: Float32Array.from(group.uvs),
          colors: Uint8Array.from(group.colors),
        },
        ...options,
      }));
  }

  #group(material: Material): Group {
    const known = this.#groups.get(material);
    if (known) return known;
    const group = { positions: [], normals: [], uvs: [], colors: [], indices: [] };
    this.#groups.set(material, group);
    return group;
  }
}

function byte(x: number): number {
  return x < 0 ? 0 : x > 255 ? 255 : Math.round(x);
}

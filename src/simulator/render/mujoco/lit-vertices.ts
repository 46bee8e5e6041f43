import type { PlacedGeom } from "./placed-geoms.js";
import type { GlMaterial } from "./scene.js";
import { addLight, type PlacedLight } from "./vertex-light.js";

/** Light that is added in one pass: with emission or without. */
export interface LightSet {
  readonly lights: readonly PlacedLight[];
  readonly emission: boolean;
  /** Factor on the material's colour, for reflections. */
  readonly tint: number;
}

/** Ambient light of a scene that has no light at all. */
const UNLIT = 0.3;

/**
 * Colours of vertices under one or more sets of lights, computed when they are first read in a frame: most vertices
 * belong to triangles that are not visible.
 */
export class LitVertices {
  /** Three numbers per vertex. */
  readonly world: Float64Array;
  /** Three numbers per vertex, 0 to 1, of each set. */
  readonly colours: Float32Array[] = [];
  readonly #stamps: Int32Array;
  #frame = 0;
  #sets: readonly LightSet[] = [];
  #isUnlit = false;
  #eye: readonly [number, number, number] = [0, 0, 0];
  readonly #materials = new Map<GlMaterial, readonly MaterialTint[]>();

  constructor(vertices: number) {
    this.world = new Float64Array(3 * vertices);
    this.#stamps = new Int32Array(vertices);
  }

  /** Starts a frame: discards the colours. */
  begin(sets: readonly LightSet[], eye: readonly [number, number, number], isUnlit: boolean): void {
    this.#frame++;
    this.#sets = sets;
    this.#eye = eye;
    this.#isUnlit = isUnlit;
    this.#materials.clear();
    while (this.colours.length < sets.length) {
      this.colours.push(new Float32Array(this.world.length));
    }
  }

  /** Computes the colours of a vertex, by its index among all vertices, unless this frame has them. */
  light(vertex: number, placed: PlacedGeom): void {
    if (this.#stamps[vertex] === this.#frame) return;
    this.#stamps[vertex] = this.#frame;
    const { geom, pose: m, firstVertex } = placed;
    const { positions, normals } = geom.mesh;
    const from = 3 * (vertex - firstVertex);
    const x = positions[from] as number;
    const y = positions[from + 1] as number;
    const z = positions[from + 2] as number;
    const u = normals[from] as number;
    const v = normals[from + 1] as number;
    const w = normals[from + 2] as number;
    const at = 3 * vertex;
    const [m0, m1, m2] = [m[0] as number, m[1] as number, m[2] as number];
    const [m4, m5, m6] = [m[4] as number, m[5] as number, m[6] as number];
    const [m8, m9, m10] = [m[8] as number, m[9] as number, m[10] as number];
    const px = m0 * x + m1 * y + m2 * z + (m[3] as number);
    const py = m4 * x + m5 * y + m6 * z + (m[7] as number);
    const pz = m8 * x + m9 * y + m10 * z + (m[11] as number);
    const nx = m0 * u + m1 * v + m2 * w;
    const ny = m4 * u + m5 * v + m6 * w;
    const nz = m8 * u + m9 * v + m10 * w;
    this.world[at] = px;
    this.world[at + 1] = py;
    this.world[at + 2] = pz;
    const tints = this.#tintsOf(geom.material);
    const ambient = this.#isUnlit ? UNLIT : 0;
    for (let s = 0; s < this.#sets.length; s++) {
      const out = this.colours[s] as Float32Array;
      const { lights } = this.#sets[s] as LightSet;
      const material = tints[s] as MaterialTint;
      const own = ambient + material.emission;
      for (let k = 0; k < 3; k++) out[at + k] = own * (material.rgba[k] as number);
      for (let i = 0; i < lights.length; i++) {
        const light = lights[i] as PlacedLight;
        addLight(light, material, px, py, pz, nx, ny, nz, this.#eye, out, at);
      }
      for (let k = 0; k < 3; k++) out[at + k] = Math.min(1, Math.max(0, out[at + k] as number));
    }
  }

  #tintsOf(material: GlMaterial): readonly MaterialTint[] {
    let tints = this.#materials.get(material);
    if (!tints) {
      const { rgba, specular, shininess, emission } = material;
      tints = this.#sets.map((set) => ({
        rgba: [rgba[0] * set.tint, rgba[1] * set.tint, rgba[2] * set.tint, rgba[3]] as const,
        specular,
        shininess,
        emission: set.emission ? emission : 0,
      }));
      this.#materials.set(material, tints);
    }
    return tints;
  }
}

type MaterialTint = Pick<GlMaterial, "rgba" | "specular" | "shininess" | "emission">;

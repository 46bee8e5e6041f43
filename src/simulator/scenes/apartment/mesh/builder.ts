import type { Vec3 } from "../../../../core/math/vec3.js";
import { pointBounds } from "../../geometry.js";
import type { Material, SceneInstance, ScenePart } from "../../model.js";

/** A material and how many metres one repetition of its texture covers. */
export interface Surface {
  readonly material: Material;
  readonly repeatM: readonly [u: number, v: number];
}

/** Position and rotation of an object whose own axes have y up and its front along +z. */
export interface Pose {
  readonly at: Vec3;
  /** Radians about +y; quarter turns are exact. */
  readonly turnRad: number;
}

export type Rgb = readonly [number, number, number];

/** Arrays of one mesh that grow by doubling. Copying plain arrays at the end dominated the cost. */
class Group {
  positions = new Float32Array(3 * 64);
  normals = new Float32Array(3 * 64);
  uvs = new Float32Array(2 * 64);
  lights = new Uint8Array(64);
  indices = new Uint32Array(3 * 64);
  vertices = 0;
  corners = 0;

  roomForVertex(): void {
    if (this.vertices < this.lights.length) return;
    this.positions = doubled(this.positions, Float32Array);
    this.normals = doubled(this.normals, Float32Array);
    this.uvs = doubled(this.uvs, Float32Array);
    this.lights = doubled(this.lights, Uint8Array);
  }

  roomForTriangle(): void {
    if (this.corners + 3 <= this.indices.length) return;
    this.indices = doubled(this.indices, Uint32Array);
  }

  colors(): Uint8Array {
    const out = new Uint8Array(this.vertices * 4).fill(255);
    for (let i = 0; i < this.vertices; i++) {
      out.fill(this.lights[i] as number, i * 4, i * 4 + 3);
    }
    return out;
  }
}

function doubled<T extends Float32Array | Uint8Array | Uint32Array>(
  old: T,
  type: new (length: number) => T,
): T {
  const grown = new type(old.length * 2);
  grown.set(old);
  return grown;
}

const QUARTER = Math.PI / 2;

/** Brightness of a vertex, 0 to 1, by its position in the object's own axes. */
type Shade = (x: number, y: number, z: number) => number;

/** Collects the triangles of one object into one mesh per material. */
export class MeshBuilder {
  readonly #groups = new Map<Material, Group>();
  readonly #at: Vec3;
  readonly #cos: number;
  readonly #sin: number;
  readonly #shade: Shade | undefined;

  constructor(pose: Pose = { at: [0, 0, 0], turnRad: 0 }, shade?: Shade) {
    this.#at = pose.at;
    const quarters = Math.round(pose.turnRad / QUARTER);
    const exact = Math.abs(pose.turnRad - quarters * QUARTER) < 1e-9;
    const q = ((quarters % 4) + 4) % 4;
    this.#cos = exact ? ([1, 0, -1, 0][q] ?? 1) : Math.cos(pose.turnRad);
    this.#sin = exact ? ([0, 1, 0, -1][q] ?? 0) : Math.sin(pose.turnRad);
    this.#shade = shade;
  }

  /** Adds a vertex in the object's own axes and returns its index in the material's mesh. */
  vertex(surface: Surface, p: Vec3, n: Vec3, u: number, v: number, light = 1): number {
    const group = this.#group(surface.material);
    group.roomForVertex();
    const x = p[0];
    const y = p[1];
    const z = p[2];
    const at = group.vertices++;
    const i = at * 3;
    group.positions[i] = this.#at[0] + x * this.#cos + z * this.#sin;
    group.positions[i + 1] = this.#at[1] + y;
    group.positions[i + 2] = this.#at[2] - x * this.#sin + z * this.#cos;
    group.normals[i] = n[0] * this.#cos + n[2] * this.#sin;
    group.normals[i + 1] = n[1];
    group.normals[i + 2] = n[2] * this.#cos - n[0] * this.#sin;
    group.uvs[at * 2] = u;
    group.uvs[at * 2 + 1] = v;
    group.lights[at] = byte(light * (this.#shade ? this.#shade(x, y, z) : 1) * 255);
    return at;
  }

  triangle(surface: Surface, a: number, b: number, c: number): void {
    const group = this.#group(surface.material);
    group.roomForTriangle();
    group.indices[group.corners++] = a;
    group.indices[group.corners++] = b;
    group.indices[group.corners++] = c;
  }

  parts(instance: number): ScenePart[] {
    return [...this.#groups]
      .filter(([, group]) => group.corners > 0)
      .map(([material, group]) => ({
        instance,
        material,
        mesh: {
          positions: group.positions.slice(0, group.vertices * 3),
          indices: group.indices.slice(0, group.corners),
          normals: group.normals.slice(0, group.vertices * 3),
          uvs: group.uvs.slice(0, group.vertices * 2),
          colors: group.colors(),
        },
      }));
  }

  #group(material: Material): Group {
    const known = this.#groups.get(material);
    if (known) return known;
    const group = new Group();
    this.#groups.set(material, group);
    return group;
  }
}

/** Assigns names and numbers to objects and collects their triangles. */
export class InstanceList {
  readonly parts: ScenePart[] = [];
  readonly instances: SceneInstance[] = [];
  readonly #counts = new Map<string, number>();

  /** The name that the next object of a category gets. */
  nextName(category: string): string {
    return `${category}_${(this.#counts.get(category) ?? 0) + 1}`;
  }

  add(category: string, room: string | undefined, builder: MeshBuilder): void {
    const parts = builder.parts(this.instances.length);
    if (parts.length === 0) return;
    const name = this.nextName(category);
    this.#counts.set(category, (this.#counts.get(category) ?? 0) + 1);
    this.instances.push({
      name,
      category,
      ...pointBounds(parts.map(({ mesh }) => mesh.positions)),
      ...(room === undefined ? {} : { room }),
    });
    this.parts.push(...parts);
  }
}

function byte(x: number): number {
  return x < 0 ? 0 : x > 255 ? 255 : Math.round(x);
}

import { DataError, show } from "../../../core/errors.js";
import { checkFinite } from "../gltf/mesh.js";
import type { TriangleMesh } from "../model.js";
import { byte } from "../srgb.js";

/** A corner of a face: indices of its vertex, texture coordinate and normal from 0; -1 for none. */
type Corner = readonly [v: number, vt: number, vn: number];

interface Group {
  readonly thing: string;
  readonly material: string;
  /** Maps the three indices of a corner to one vertex of the mesh. */
  readonly places: Map<string, number>;
  readonly corners: Corner[];
  readonly indices: number[];
}

/** Collects an OBJ's lines into one mesh per pair of instance and material. */
export class ObjMeshBuilder {
  readonly #positions: number[] = [];
  readonly #colors: number[] = [];
  readonly #uvs: number[] = [];
  readonly #normals: number[] = [];
  readonly #groups = new Map<string, Group>();

  constructor(private readonly file: string) {}

  get isEmpty(): boolean {
    return this.#positions.length === 0;
  }

  vertex([x = 0, y = 0, z = 0, ...rest]: readonly number[]): void {
    this.#positions.push(x, y, z);
    // Three more numbers are a colour; a single one is a weight, which polygons do not use.
    if (rest.length >= 3) {
      const [r = 1, g = 1, b = 1] = rest;
      while (this.#colors.length < this.#positions.length - 3) this.#colors.push(1);
      this.#colors.push(r, g, b);
    }
  }

  uv([u = 0, v = 0]: readonly number[]): void {
    // OBJ's v counts from the bottom, glTF's and the model's from the top.
    this.#uvs.push(u, 1 - v);
  }

  normal([x = 0, y = 0, z = 0]: readonly number[]): void {
    this.#normals.push(x, y, z);
  }

  face(thing: string, material: string, text: string, line: number): void {
    const group = this.#group(thing, material);
    const places = text.split(/\s+/).map((corner) => this.#place(group, corner, line));
    // A triangle fan: correct for convex faces, and the common behaviour for others.
    for (let i = 1; i + 1 < places.length; i++) {
      group.indices.push(places[0] as number, places[i] as number, places[i + 1] as number);
    }
  }

  *meshes(): Generator<{ thing: string; material: string; mesh: TriangleMesh }> {
    for (const group of this.#groups.values()) {
      if (group.indices.length === 0) continue;
      yield { thing: group.thing, material: group.material, mesh: this.#mesh(group) };
    }
  }

  #mesh({ corners, indices }: Group): TriangleMesh {
    const uvs = corners.every((corner) => corner[1] >= 0);
    const normals = corners.every((corner) => corner[2] >= 0);
    const gather = (from: readonly number[], size: number, which: 0 | 1 | 2): Float32Array => {
      const out = new Float32Array(corners.length * size);
      corners.forEach((corner, i) => {
        for (let k = 0; k < size; k++) out[size * i + k] = from[size * corner[which] + k] ?? 1;
      });
      return out;
    };
    const positions = gather(this.#positions, 3, 0);
    // A number may be valid text but overflow 32 bits.
    checkFinite(positions, this.file);
    return {
      positions,
      indices: Uint32Array.from(indices),
      ...(uvs && { uvs: gather(this.#uvs, 2, 1) }),
      ...(normals && { normals: gather(this.#normals, 3, 2) }),
      ...(this.#colors.length > 0 && { colors: opaque(gather(this.#colors, 3, 0)) }),
    };
  }

  #group(thing: string, material: string): Group {
    const key = `${thing}\n${material}`;
    const known = this.#groups.get(key);
    if (known) return known;
    const group: Group = { thing, material, places: new Map(), corners: [], indices: [] };
    this.#groups.set(key, group);
    return group;
  }

  #place(group: Group, text: string, line: number): number {
    const [v, vt, vn] = text.split("/");
    const corner: Corner = [
      this.#number(v, this.#positions.length / 3, text, line) ?? this.#reject(text, line),
      this.#number(vt, this.#uvs.length / 2, text, line) ?? -1,
      this.#number(vn, this.#normals.length / 3, text, line) ?? -1,
    ];
    const key = corner.join("/");
    const known = group.places.get(key);
    if (known !== undefined) return known;
    const place = group.corners.push(corner) - 1;
    group.places.set(key, place);
    return place;
  }

  /** OBJ indices count from 1, or backwards from -1 for the latest. */
  #number(text: string | undefined, count: number, corner: string, line: number) {
    if (text === undefined || text === "") return undefined;
    const n = Number(text);
    const i = n < 0 ? count + n : n - 1;
    return Number.isInteger(n) && i >= 0 && i < count ? i : this.#reject(corner, line);
  }

  #reject(corner: string, line: number): never {
    throw new DataError(
      "bad_geometry",
      `a face has the corner ${show(corner)}, but the file has ${this.#positions.length / 3} vertices, ` +
        `${this.#uvs.length / 2} texture coordinates and ${this.#normals.length / 3} normals before it`,
      { where: `${this.file}:${line}`, hint: "the file is damaged: export or download it again" },
    );
  }
}

function opaque(rgb: Float32Array): Uint8Array {
  const out = new Uint8Array((rgb.length / 3) * 4).fill(255);
  for (let i = 0; i < rgb.length; i++) out[i + Math.floor(i / 3)] = byte(rgb[i] as number);
  return out;
}

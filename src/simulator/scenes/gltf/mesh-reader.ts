import type { Document, Primitive } from "@gltf-transform/core";
import type { Material, TriangleMesh } from "../model.js";
import type { GltfFile } from "./file.js";
import type { GltfMaterial } from "./material.js";
import { floats, readMesh } from "./mesh.js";
import { skinned } from "./skin.js";
import type { Transform } from "./transform.js";

/** The triangles of a primitive and their look. */
interface Shape {
  readonly mesh: TriangleMesh;
  readonly material: Material;
}

/** Reads each mesh once, even if several nodes use it. */
export class MeshReader {
  readonly #made = new Map<number, readonly Shape[]>();

  constructor(
    private readonly gltf: GltfFile,
    private readonly document: Document,
    private readonly materials: readonly GltfMaterial[],
  ) {}

  get(index: number): readonly Shape[] {
    const made = this.#made.get(index) ?? this.#read(index);
    this.#made.set(index, made);
    return made;
  }

  /** A mesh that bends with its joints. `bones` are the joints' transforms from the mesh's rest pose. */
  bent(index: number, bones: readonly Transform[]): readonly Shape[] {
    return this.#read(index, bones);
  }

  /** The values of an accessor as floats. */
  values(accessor: number): Float32Array {
    const found = this.document.getRoot().listAccessors()[accessor];
    if (!found) throw new Error(`accessor ${accessor} does not exist`);
    return floats(found);
  }

  #read(index: number, bones?: readonly Transform[]): Shape[] {
    const definition = this.gltf.json.meshes?.[index];
    const primitives = this.document.getRoot().listMeshes()[index]?.listPrimitives() ?? [];
    return primitives.flatMap((primitive: Primitive, i) => {
      const material = this.materials.at(definition?.primitives[i]?.material ?? -1);
      if (!material) throw new Error(`mesh ${index} refers to a missing material`);
      const where = `${this.gltf.file}: mesh ${definition?.name ?? index}, primitive ${i}`;
      const mesh = readMesh(primitive, material, where);
      if (!mesh) return [];
      const shape = bones ? skinned(mesh, primitive, bones, where) : mesh;
      return [{ mesh: shape, material: material.material }];
    });
  }
}

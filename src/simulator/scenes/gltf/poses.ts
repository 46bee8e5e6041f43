import type { GLTF } from "@gltf-transform/core";
import { extension } from "./extensions.js";
import type { MeshReader } from "./mesh-reader.js";
import { compose, multiply, type Transform } from "./transform.js";

export function localTransform(node: GLTF.INode): Transform {
  if (node.matrix?.length === 16) return node.matrix;
  return compose(node.translation, node.rotation, node.scale);
}

/**
 * The transform of each copy of a node's mesh (EXT_mesh_gpu_instancing); undefined without the extension.
 *
 * @param check is called with the number of copies before any is made
 */
export function instanceTransforms(
  node: GLTF.INode,
  here: Transform,
  meshes: MeshReader,
  check: (count: number) => void,
): Transform[] | undefined {
  const attributes = extension(node, "EXT_mesh_gpu_instancing")?.attributes;
  if (attributes === undefined) return undefined;
  const { TRANSLATION, ROTATION, SCALE } = attributes as Readonly<Record<string, number>>;
  const list = (accessor: number | undefined) =>
    accessor === undefined ? undefined : meshes.values(accessor);
  const [translations, rotations, scales] = [list(TRANSLATION), list(ROTATION), list(SCALE)];
  const count = translations
    ? translations.length / 3
    : rotations
      ? rotations.length / 4
      : (scales?.length ?? 0) / 3;
  const sizes = [translations?.length, scales?.length].map((length) => (length ?? count * 3) / 3);
  if (sizes.some((size) => size !== count) || (rotations?.length ?? count * 4) !== count * 4) {
    throw new Error("the attributes of an instanced mesh have different lengths");
  }
  check(count);
  return Array.from({ length: count }, (_, i) => {
    const row = (values: Float32Array | undefined, size: number) =>
      values && [...values.subarray(i * size, (i + 1) * size)];
    return multiply(here, compose(row(translations, 3), row(rotations, 4), row(scales, 3)));
  });
}

/** The transforms of joints in the pose that the file's nodes give. */
export class RestPose {
  readonly #parents = new Map<number, number>();

  constructor(
    private readonly json: GLTF.IGLTF,
    private readonly meshes: MeshReader,
  ) {
    for (const [parent, { children }] of (json.nodes ?? []).entries()) {
      for (const child of children ?? []) this.#parents.set(child, parent);
    }
  }

  /** For each joint of a skin, the matrix from the mesh at binding to the scene. */
  bones(index: number): Transform[] {
    const skin = this.json.skins?.[index];
    if (!skin) throw new Error(`skin ${index} does not exist`);
    const { joints, inverseBindMatrices: accessor } = skin;
    const inverse = accessor === undefined ? undefined : this.meshes.values(accessor);
    if (inverse && inverse.length < joints.length * 16) {
      throw new Error(`skin ${index} has ${joints.length} joints and fewer inverse bind matrices`);
    }
    return joints.map((joint, i) => {
      const world = this.#world(joint);
      return inverse ? multiply(world, [...inverse.subarray(i * 16, i * 16 + 16)]) : world;
    });
  }

  #world(node: number): Transform {
    let transform: Transform | undefined;
    let steps = 0;
    for (let at: number | undefined = node; at !== undefined; at = this.#parents.get(at)) {
      const definition = this.json.nodes?.[at];
      if (!definition) throw new Error(`node ${at} does not exist`);
      if (steps++ > this.#parents.size) throw new Error(`node ${at} is its own ancestor`);
      const local = localTransform(definition);
      transform = transform ? multiply(local, transform) : local;
    }
    return transform ?? [];
  }
}

import type { GLTF } from "@gltf-transform/core";
import { isRecord } from "../../../core/record.js";
import { categoryOfName } from "../category-of-name.js";
import type { DraftInstance } from "../draft.js";
import type { ScenePart } from "../model.js";
import { checkTriangles } from "../scene-cost.js";
import type { GltfFile } from "./file.js";
import type { MeshReader } from "./mesh-reader.js";
import { instanceTransforms, localTransform, RestPose } from "./poses.js";
import { readInstanceExtras } from "./scene-extras.js";
import { IDENTITY, isIdentity, multiply } from "./transform.js";

interface Walked {
  readonly parts: readonly ScenePart[];
  readonly instances: readonly DraftInstance[];
  /** The file was written by this program and numbers its instances, the building first. */
  readonly complete: boolean;
}

/** The objects of the default scene. */
export function walk({ json, file }: Pick<GltfFile, "json" | "file">, meshes: MeshReader): Walked {
  const pose = new RestPose(json, meshes);
  let triangles = 0;
  const parts: (ScenePart & { order: number })[] = [];
  const instances: (DraftInstance & { order: number })[] = [];
  const seen = new Set<number>();

  const stack = roots(json)
    .map((node) => ({ node, above: IDENTITY, owner: -1 }))
    .reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node: index, above } = next;
    const node = json.nodes?.[index];
    if (!node) throw new Error(`node ${index} does not exist`);
    if (seen.has(index)) throw new Error(`node ${index} is its own ancestor, or has two parents`);
    seen.add(index);
    const here = multiply(above, localTransform(node));
    let owner = next.owner;
    const declared = readInstanceExtras(node.extras);
    const name = node.name ?? json.meshes?.[node.mesh ?? -1]?.name ?? `node_${index}`;
    const isSkinned = node.mesh !== undefined && node.skin !== undefined;
    const shapes = isSkinned
      ? meshes.bent(node.mesh ?? -1, pose.bones(node.skin ?? -1))
      : node.mesh === undefined
        ? []
        : meshes.get(node.mesh);
    const size = trianglesOf(shapes);
    const check = (count: number) => checkTriangles(triangles + count * size, file);
    // Joints alone determine where a skinned mesh is.
    const copies = isSkinned
      ? [IDENTITY]
      : (size > 0 && instanceTransforms(node, here, meshes, check)) || [here];
    triangles += copies.length * size;
    checkTriangles(triangles, file);
    const hasOwner = owner >= 0 || declared !== undefined;
    if (declared || (owner < 0 && shapes.length > 0 && copies.length === 1)) {
      owner = instances.length;
      instances.push({ name, category: categoryOfName(name), order: Number.NaN, ...declared });
    }
    const { part: order, solid } = isRecord(node.extras) ? node.extras : {};
    for (const [i, transform] of shapes.length > 0 ? copies.entries() : []) {
      // Each copy is a thing of its own, unless a node above says that they belong together.
      const isThing = copies.length > 1 && !hasOwner;
      const instance = isThing ? instances.length : owner;
      if (isThing) {
        const own = { name: `${name}_${i + 1}`, category: categoryOfName(name) };
        instances.push({ ...own, order: Number.NaN });
      }
      for (const { mesh, material } of shapes) {
        parts.push({
          mesh,
          material,
          instance,
          ...(!isIdentity(transform) && { transform }),
          ...(solid === false && { solid }),
          order: typeof order === "number" ? order : Number.NaN,
        });
      }
    }
    for (const child of [...(node.children ?? [])].reverse()) {
      stack.push({ node: child, above: here, owner });
    }
  }
  return numbered(parts, instances);
}

/** Files written by this program store the order of parts and instances, which a round trip restores. */
function numbered(
  parts: (ScenePart & { order: number })[],
  instances: (DraftInstance & { order: number })[],
): Walked {
  const complete = instances.length > 0 && instances.every(({ order }) => order < instances.length);
  const plain = {
    parts: parts.map(({ order: _, ...part }) => part),
    instances: instances.map(({ order: _, ...instance }) => instance),
    complete,
  };
  if (!complete) return plain;
  const sorted = instances.map((_, i) => i).sort((a, b) => at(a) - at(b));
  const place = new Map(sorted.map((from, to) => [from, to]));
  function at(i: number): number {
    return instances[i]?.order ?? 0;
  }
  return {
    complete,
    instances: sorted.flatMap((i) => plain.instances[i] ?? []),
    parts: parts
      .sort((a, b) => a.order - b.order || 0)
      .map(({ order: _, ...part }) => ({ ...part, instance: place.get(part.instance) ?? 0 })),
  };
}

export function sceneOf(json: GLTF.IGLTF): GLTF.IScene | undefined {
  return json.scenes?.[json.scene ?? 0];
}

/** The default scene's nodes; in a file without scenes, all nodes without a parent. */
function roots(json: GLTF.IGLTF): number[] {
  const scene = sceneOf(json);
  if (scene) return [...(scene.nodes ?? [])];
  const children = new Set((json.nodes ?? []).flatMap((node) => node.children ?? []));
  return [...(json.nodes ?? []).keys()].filter((index) => !children.has(index));
}

function trianglesOf(shapes: readonly { readonly mesh: { readonly indices: Uint32Array } }[]) {
  return shapes.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
}

import { DataError } from "../../../../core/errors.js";
import { categoryOfLabel } from "../../category-of-name.js";
import type { DraftInstance, SceneDraft } from "../../draft.js";
import { pointBounds } from "../../geometry.js";
import type { Transform } from "../../gltf/transform.js";
import type { Material, ScenePart } from "../../model.js";
import type { Descriptor } from "./annotations.js";
import { readDescriptor } from "./descriptor.js";
import { findSemanticFiles } from "./semantic-files.js";
import { type ObjectMeshes, readColouredObjects, readPlyObjects } from "./semantic-mesh.js";

/** Semantic cameras do not see it. */
const MATERIAL: Material = { name: "annotation", color: [1, 1, 1, 1], doubleSided: true };

/** A scan, or a scene instance with a scan as its stage, with annotations: objects, rooms and what semantic cameras see. */
export interface Annotated {
  readonly draft: SceneDraft;
  /** In Habitat's axes. Undefined if the scan has no annotations, or no semantic mesh. */
  readonly semanticParts?: readonly ScenePart[];
}

/**
 * Adds the annotations of Matterport3D (`.house` and `_semantic.ply`), HM3D (`.semantic.txt` and
 * `.semantic.glb`) and Gibson (`.scn` and `_semantic.ply`) to a scan. Without such files nothing changes.
 *
 * @param file the scan, which may be the stage of a scene instance
 * @param transform from the scan's axes to Habitat's
 */
export async function readSemantics(
  file: string,
  draft: SceneDraft,
  transform: Transform | undefined,
): Promise<Annotated> {
  const found = await findSemanticFiles(file);
  const warnings = [...draft.warnings];
  const guides = new Set(draft.guides);
  if (found.descriptor === undefined) {
    if (found.mesh === undefined) return { draft };
    warnings.push(`${found.mesh} is ignored: there is no .house, .scn or .semantic.txt for it`);
    return { draft: { ...draft, warnings } };
  }
  const descriptor = await readDescriptor(found.descriptor);
  guides.add(found.descriptor);
  let meshes: ObjectMeshes | undefined;
  if (found.mesh === undefined) {
    warnings.push(
      `${found.descriptor} has no semantic mesh: semantic images show the building only`,
    );
  } else if (found.mesh.toLowerCase().endsWith(".ply")) {
    meshes = await readPlyObjects(found.mesh);
    guides.add(found.mesh);
  } else {
    const read = await readColouredObjects(
      found.mesh,
      descriptor.colors ?? new Map<number, number>(),
      found.transform ?? transform,
    );
    meshes = read.objects;
    for (const one of read.files) guides.add(one);
  }
  if (meshes) checkMatch(meshes, descriptor, found.mesh ?? "", found.descriptor, warnings);

  const instances: DraftInstance[] = [{ name: "building", category: "unknown" }];
  const semanticParts: ScenePart[] = [];
  const numbers = new Map<number, number>();
  for (const [id, { label, room, bounds }] of descriptor.objects) {
    const mesh = meshes?.get(id);
    const box = mesh ? pointBounds([mesh.positions]) : bounds;
    if (!box) continue;
    const category = categoryOfLabel(label);
    const instance = { name: `${category}_${id}`, category, bounds: box, ...(room && { room }) };
    numbers.set(id, instances.push(instance) - 1);
  }
  for (const [id, mesh] of meshes ?? []) {
    semanticParts.push({ mesh, material: MATERIAL, instance: numbers.get(id) ?? 0, solid: false });
  }
  const annotated = instances.length - 1;
  const isPlaced = ({ instance }: ScenePart) => draft.stage !== undefined && instance > 0;
  const parts = draft.parts.map((part) => ({
    ...part,
    instance: isPlaced(part) ? annotated + part.instance : 0,
  }));
  semanticParts.push(...parts.filter(({ instance }) => instance > 0));
  if (draft.stage) instances.push(...draft.instances.slice(1));
  return {
    draft: {
      ...draft,
      parts,
      instances,
      hasBuilding: true,
      rooms: [...descriptor.rooms, ...(draft.stage ? (draft.rooms ?? []) : [])],
      warnings,
      guides: [...guides],
    },
    ...(meshes && { semanticParts }),
  };
}

function checkMatch(
  meshes: ObjectMeshes,
  { objects }: Descriptor,
  mesh: string,
  descriptor: string,
  warnings: string[],
): void {
  const missing = [...objects.keys()].filter((id) => !meshes.has(id)).length;
  if (objects.size > 0 && missing === objects.size) {
    throw new DataError(
      "bad_semantics",
      `none of the ${objects.size} annotated objects occurs in the semantic mesh`,
      {
        where: descriptor,
        hint: `check that ${mesh} belongs to it; both come from the same download`,
      },
    );
  }
  if (missing > 0) {
    warnings.push(
      `${missing} of ${objects.size} annotated objects have no triangles in the semantic mesh`,
    );
  }
}

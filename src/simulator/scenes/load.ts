import { extname } from "node:path";
import { DataError } from "../../core/errors.js";
import { finishDraft, type SceneDraft } from "./draft.js";
import { type Bounds, boundsOf } from "./geometry.js";
import { readGltf } from "./gltf.js";
import type { Material, SceneModel } from "./model.js";
import { walkableBounds } from "./navmesh-file.js";
import { readObj } from "./obj.js";
import { isScan, orient, toHabitat, Y_UP } from "./orientation.js";
import { readSceneInstance } from "./scene-instance.js";

/** A scene out of a file, and what there is to know about the reading of it. */
export interface FileScene extends SceneModel {
  /** What was left out or guessed, in sentences for people. */
  readonly warnings: readonly string[];
  /** Every file that was read for it, the scene's own first. */
  readonly files: readonly string[];
  /** Files that said where those are, or what is in them. */
  readonly guides: readonly string[];
  /** Which of the file's axes was taken for up. */
  readonly up: readonly [x: number, y: number, z: number];
}

const READERS: Readonly<Record<string, (file: string) => Promise<SceneDraft>>> = {
  ".glb": readGltf,
  ".gltf": readGltf,
  ".obj": readObj,
  ".scene_instance.json": readSceneInstance,
};

/**
 * Any glTF, OBJ or Habitat scene instance, turned into Habitat's axes (orientation.ts says by which rule). `walkable` is
 * the box of the navmesh beside it, for who has read that already.
 */
export async function loadScene(
  sceneId: string,
  file: string,
  walkable?: Bounds,
): Promise<FileScene> {
  const ending = Object.keys(READERS).find((end) => file.toLowerCase().endsWith(end));
  const reader = READERS[ending ?? ""];
  if (!reader) {
    throw new DataError(
      "unknown_scene_format",
      `cannot read a ${extname(file) || "nameless"} scene`,
      {
        where: file,
        hint: `readable: ${Object.keys(READERS).join(", ")}, and apartment/<seed> without a file`,
      },
    );
  }
  const draft = await reader(file);
  if (draft.parts.length === 0) {
    throw new DataError("empty_scene", "the scene has no triangles", {
      where: file,
      hint: "is it the right file? points, lines and bare nodes are not a scene",
    });
  }
  const bounds = boundsOf(draft.parts);
  const { axes, warnings, config } = draft.isUpright
    ? { axes: Y_UP, warnings: [], config: undefined }
    : await orient({ id: sceneId, file, bounds }, walkable ?? (await walkableBounds(file)));
  const lit = isScan(sceneId, file) ? unlit(draft) : draft;
  const model = finishDraft(sceneId, lit, toHabitat(axes));
  return {
    ...model,
    warnings: [...model.warnings, ...warnings],
    files: config ? [...draft.files, config] : draft.files,
    guides: draft.guides ?? [],
    up: axes.up,
  };
}

/** Habitat shows scans without lights, and so must we: a second light would darken their own. */
function unlit(draft: SceneDraft): SceneDraft {
  const made = new Map<Material, Material>();
  const parts = draft.parts.map((part) => {
    const material = made.get(part.material) ?? { ...part.material, unlit: true };
    made.set(part.material, material);
    return { ...part, material };
  });
  return { ...draft, parts };
}

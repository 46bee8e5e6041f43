import { extname } from "node:path";
import { DataError } from "../../core/errors.js";
import { finishDraft, type SceneAxes, type SceneDraft, unlit } from "./draft.js";
import { type Bounds, boundsOf } from "./geometry.js";
import { readGltf } from "./gltf/gltf.js";
import { walkableBounds } from "./habitat/navmesh-file.js";
import { readSceneInstance } from "./habitat/scene-instance.js";
import { readSemantics } from "./habitat/semantics/read-semantics.js";
import type { SceneModel } from "./model.js";
import { readObj } from "./obj/obj.js";
import { isScan, orient, sceneAxes, Y_UP } from "./orientation.js";
import { checkTriangles, sceneCost } from "./scene-cost.js";
import { type SceneOptions, type TextureBudget, withTextureBudget } from "./texture-budget.js";

/** A scene read from a file, with details about how it was read. */
export interface FileScene extends SceneModel {
  /** What was ignored or guessed, as sentences for users. */
  readonly warnings: readonly string[];
  /** Every file that was read, the scene's own first. */
  readonly files: readonly string[];
  /** Files that were used to find or describe those. */
  readonly guides: readonly string[];
  /** The file's axis that was used as up. */
  readonly up: readonly [x: number, y: number, z: number];
  /** The file's axes and what determined them; of a scene instance, those of its stage. */
  readonly orientation: SceneAxes;
}

/** A file that is known to be in Habitat's axes and metres. */
const UPRIGHT = {
  axes: Y_UP,
  because: "gltf",
  warnings: [],
  transform: undefined,
  isFlat: false,
  files: [],
} as const;

type SceneReader = (file: string, textures: TextureBudget) => Promise<SceneDraft>;

const READERS: Readonly<Record<string, SceneReader>> = {
  ".glb": readGltf,
  ".gltf": readGltf,
  ".obj": readObj,
  ".scene_instance.json": readSceneInstance,
};

/**
 * Reads any glTF, OBJ or Habitat scene instance and rotates it into Habitat's axes (see orientation.ts for
 * the rules). `walkable` is the bounds of the navmesh next to it, if already read.
 *
 * @example
 * const { parts, warnings } = await loadScene("my-flat", "scenes/flat.glb");
 */
export async function loadScene(
  sceneId: string,
  file: string,
  walkable?: Bounds,
  options: SceneOptions = {},
): Promise<FileScene> {
  const ending = Object.keys(READERS).find((end) => file.toLowerCase().endsWith(end));
  const reader = READERS[ending ?? ""];
  if (!reader) {
    throw new DataError(
      "unknown_scene_format",
      `cannot read a scene file with the extension ${extname(file) || "(none)"}`,
      {
        where: file,
        hint: `use ${Object.keys(READERS).join(", ")}, or apartment/<seed>, which needs no file`,
      },
    );
  }
  const draft = await withTextureBudget(options, (textures) => reader(file, textures));
  if (draft.parts.length === 0) {
    throw new DataError("empty_scene", "the scene has no triangles", {
      where: file,
      hint: "check that it is the right file: points, lines and empty nodes are ignored",
    });
  }
  checkTriangles(sceneCost(draft).triangles, file);
  const bounds = boundsOf(draft.parts);
  const found = draft.isUpright
    ? UPRIGHT
    : await orient({ id: sceneId, file, bounds }, walkable ?? (await walkableBounds(file)));
  const { axes, warnings, transform, isFlat, files } = found;
  const lit = isFlat || isScan(sceneId, file) ? unlit(draft) : draft;
  const scan = draft.isUpright ? draft.stage : { file, transform };
  const { draft: annotated, semanticParts } = scan
    ? await readSemantics(scan.file, lit, scan.transform)
    : { draft: lit, semanticParts: undefined };
  const model = finishDraft(sceneId, annotated, transform);
  return {
    ...model,
    ...(semanticParts && { semanticParts }),
    warnings: [...model.warnings, ...warnings],
    files: [...draft.files, ...files],
    guides: annotated.guides ?? [],
    up: axes.up,
    orientation: draft.orientation ?? sceneAxes(found),
  };
}

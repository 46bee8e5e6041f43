import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError, errorCode, errorMessage } from "../../../core/errors.js";
import { SceneDataset } from "./dataset.js";

/** The scenes in a folder. */
export interface ListedScenes {
  /** Paths of scene files and scene instances, sorted. */
  readonly files: readonly string[];
  /** Scene files that are objects or parts of robots. */
  readonly skipped: readonly string[];
  /** Configurations of data sets that cannot be read. */
  readonly failures: readonly { readonly file: string; readonly error: unknown }[];
}

const SCENE_FILE = /\.(glb|gltf|obj)$/i;
const SCENE_INSTANCE = ".scene_instance.json";
const DATASET_CONFIG = ".scene_dataset_config.json";
/** In a folder with such a file, models are objects or parts of them, not scenes. */
const OF_PARTS = /\.(object_config\.json|ao_config\.json|urdf)$/i;

/**
 * Lists the scenes below a folder: scene files and scene instances. A folder with a
 * `*.scene_dataset_config.json` has the scene instances that it lists, or else its stages; other files in it
 * belong to those. Links are not followed, so a cycle of links cannot make it loop.
 */
export async function listScenes(folder: string): Promise<ListedScenes> {
  const files = new Set<string>();
  const skipped: string[] = [];
  const failures: { file: string; error: unknown }[] = [];
  const folders = [folder];
  for (let here = folders.pop(); here !== undefined; here = folders.pop()) {
    const found = await readdir(here, { withFileTypes: true }).catch((error: unknown) => {
      if (here !== folder) return [];
      const why =
        errorCode(error) === "ENOENT"
          ? "the folder does not exist"
          : `cannot read the folder: ${errorMessage(error)}`;
      throw new ConfigError("no_scenes", why, {
        where: folder,
        hint: "give an existing folder with .glb, .gltf, .obj or .scene_instance.json files",
      });
    });
    const names = found.filter((one) => !one.isDirectory()).map(({ name }) => name);
    const configs = names.filter((name) => name.endsWith(DATASET_CONFIG));
    for (const name of configs) {
      const file = join(here, name);
      try {
        for (const scene of await scenesOf(await SceneDataset.open(file))) files.add(scene);
      } catch (error) {
        failures.push({ file, error });
      }
    }
    if (configs.length > 0) continue;
    const isOfParts = names.some((name) => OF_PARTS.test(name));
    for (const name of names) {
      if (name.endsWith(SCENE_INSTANCE)) files.add(join(here, name));
      else if (!SCENE_FILE.test(name) || isDuplicate(name, names)) continue;
      else if (isOfParts) skipped.push(join(here, name));
      else files.add(join(here, name));
    }
    for (const one of found) if (one.isDirectory()) folders.push(join(here, one.name));
  }
  if (files.size === 0 && failures.length === 0) {
    throw new ConfigError("no_scenes", "the folder has no scenes", {
      where: folder,
      hint: "give a folder with .glb, .gltf, .obj or .scene_instance.json files, or with the data set's .scene_dataset_config.json",
    });
  }
  return { files: [...files].sort(), skipped: skipped.sort(), failures };
}

async function scenesOf(dataset: SceneDataset): Promise<readonly string[]> {
  const instances = await dataset.files("scene_instances");
  if (instances.length > 0) return instances;
  const stages: string[] = [];
  for (const handle of await dataset.handles("stages")) {
    const stage = await dataset.find("stages", handle);
    const asset = stage && (await dataset.path(stage, "render_asset"));
    if (asset !== undefined) stages.push(asset);
  }
  return stages;
}

/** HM3D has several files per scene; its episodes name the one with packed textures. */
function isDuplicate(name: string, names: readonly string[]): boolean {
  if (/\.semantic\.glb$/i.test(name)) return true;
  return /\.glb$/i.test(name) && names.includes(name.replace(/\.glb$/i, ".basis.glb"));
}

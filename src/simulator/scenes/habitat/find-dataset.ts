import { basename, dirname, join, resolve } from "node:path";
import { mayLookAt } from "../within.js";
import { SceneDataset } from "./dataset.js";
import { entries } from "./glob.js";

/**
 * Levels above a scene that are searched for its data set's configuration; hm3d/val/00800-x/x.basis.glb needs
 * 2.
 */
const LEVELS_UP = 3;

/** The configurations of the data sets that may contain a scene: those in its folder first, then upwards. */
export async function datasetConfigs(sceneFile: string): Promise<string[]> {
  const found: string[] = [];
  let folder = dirname(resolve(sceneFile));
  for (let level = 0; level <= LEVELS_UP && mayLookAt(folder); level++) {
    for (const name of await entries(folder)) {
      if (name.endsWith(".scene_dataset_config.json")) found.push(join(folder, name));
    }
    if (folder === dirname(folder)) break;
    folder = dirname(folder);
  }
  return found;
}

/**
 * The data set of a scene instance: the nearest configuration that lists it, else the nearest one, else the
 * folder above that of the scene, in the usual layout.
 */
export async function datasetOf(sceneInstance: string): Promise<SceneDataset> {
  let nearest: SceneDataset | undefined;
  for (const config of await datasetConfigs(sceneInstance)) {
    const dataset = await SceneDataset.open(config);
    const scenes = await dataset.files("scene_instances");
    if (scenes.some((file) => resolve(file) === resolve(sceneInstance))) return dataset;
    nearest ??= dataset;
  }
  if (nearest) return nearest;
  const above = dirname(dirname(resolve(sceneInstance)));
  return SceneDataset.ofFolder(basename(above) === "configs" ? dirname(above) : above);
}

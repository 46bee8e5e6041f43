import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DataError, errorCode } from "../../../core/errors.js";
import { NavMesh } from "../../navmesh/navmesh.js";
import type { Bounds } from "../geometry.js";
import { checkWithin, mayLookAt } from "../within.js";
import { readConfig } from "./config-file.js";
import { datasetOf } from "./find-dataset.js";

/**
 * Finds the Habitat navmesh next to a scene: `X.navmesh` for `X.glb`. HM3D has `X.basis.navmesh` for
 * `X.basis.glb`, which the same rule finds, or in some copies `X.navmesh`. HSSD has a folder `navmeshes` next
 * to the folder of its scene instances. A scene instance may name one of its data set's `navmesh_instances`,
 * which comes first.
 */
export async function findNavMesh(sceneFile: string): Promise<string | undefined> {
  const stem = sceneFile.replace(/(\.scene_instance)?\.[^./\\]+$/, "");
  const plain = stem.replace(/\.basis$/, "");
  const candidates = [`${stem}.navmesh`, `${plain}.navmesh`, `${plain}.basis.navmesh`];
  if (sceneFile.endsWith(".scene_instance.json")) {
    candidates.unshift(...(await namedNavMesh(sceneFile)));
    candidates.push(join(dirname(dirname(stem)), "navmeshes", `${basename(stem)}.navmesh`));
  }
  for (const file of [...new Set(candidates)].filter(mayLookAt)) {
    await checkWithin(file);
    try {
      if ((await stat(file)).isFile()) return file;
    } catch (error) {
      if (errorCode(error) !== "ENOENT" && errorCode(error) !== "ENOTDIR") throw error;
    }
  }
  return undefined;
}

async function namedNavMesh(sceneInstance: string): Promise<string[]> {
  try {
    const handle = (await readConfig(sceneInstance))?.navmesh_instance;
    if (typeof handle !== "string" || handle === "") return [];
    return [(await datasetOf(sceneInstance)).mapped("navmesh_instances", handle) ?? []].flat();
  } catch (error) {
    // Whatever is wrong with the scene's own files, reading the scene reports it.
    if (error instanceof DataError && error.code !== "outside_dataset") return [];
    throw error;
  }
}

/** Bounds of the navmesh next to a scene; undefined if it is missing or unreadable. */
export async function walkableBounds(sceneFile: string): Promise<Bounds | undefined> {
  const file = await findNavMesh(sceneFile);
  if (file === undefined) return undefined;
  let navMesh: NavMesh | undefined;
  try {
    navMesh = await NavMesh.load(await readFile(file), file);
    return navMesh.bounds;
  } catch {
    // The bounds are only a hint. Callers that need the navmesh read it themselves and report the error.
    return undefined;
  } finally {
    navMesh?.dispose();
  }
}

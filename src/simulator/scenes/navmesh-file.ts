import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../../core/errors.js";
import { NavMesh } from "../navigation/navmesh/navmesh.js";
import type { Bounds } from "./geometry.js";

/**
 * Habitat's navmesh of a scene, where one lies beside it: `X.navmesh` for `X.glb`. HM3D has
 * `X.basis.navmesh` for `X.basis.glb`, which the same rule finds, and some copies of it `X.navmesh`;
 * HSSD has a folder `navmeshes` beside that of its scene instances.
 */
export async function findNavMesh(sceneFile: string): Promise<string | undefined> {
  const stem = sceneFile.replace(/(\.scene_instance)?\.[^./\\]+$/, "");
  const plain = stem.replace(/\.basis$/, "");
  const candidates = [`${stem}.navmesh`, `${plain}.navmesh`, `${plain}.basis.navmesh`];
  if (sceneFile.endsWith(".scene_instance.json")) {
    candidates.push(join(dirname(dirname(stem)), "navmeshes", `${basename(stem)}.navmesh`));
  }
  for (const file of new Set(candidates)) {
    try {
      if ((await stat(file)).isFile()) return file;
    } catch (error) {
      if (errorCode(error) !== "ENOENT" && errorCode(error) !== "ENOTDIR") throw error;
    }
  }
  return undefined;
}

/** The box of the navmesh beside a scene; undefined where there is none that can be read. */
export async function walkableBounds(sceneFile: string): Promise<Bounds | undefined> {
  const file = await findNavMesh(sceneFile);
  if (file === undefined) return undefined;
  let navMesh: NavMesh | undefined;
  try {
    navMesh = await NavMesh.load(await readFile(file), file);
    return navMesh.bounds;
  } catch {
    // Only a hint is lost here; who needs the navmesh itself reads it too, and says what is wrong.
    return undefined;
  } finally {
    navMesh?.dispose();
  }
}

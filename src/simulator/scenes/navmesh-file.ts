import { readFile, stat } from "node:fs/promises";
import { errorCode } from "../../core/errors.js";
import { NavMesh } from "../navigation/navmesh/navmesh.js";
import type { Bounds } from "./geometry.js";

/**
 * Habitat's navmesh of a scene, where one lies beside it: `X.navmesh` for `X.glb`. HM3D has
 * `X.basis.navmesh` for `X.basis.glb`, which the same rule finds, and some copies of it `X.navmesh`.
 */
export async function findNavMesh(sceneFile: string): Promise<string | undefined> {
  const stem = sceneFile.replace(/\.[^./\\]+$/, "");
  const plain = stem.replace(/\.basis$/, "");
  for (const file of new Set([`${stem}.navmesh`, `${plain}.navmesh`, `${plain}.basis.navmesh`])) {
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

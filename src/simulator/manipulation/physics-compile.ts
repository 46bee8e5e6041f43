import type { MjModel } from "@mujoco/mujoco";
import { DataError, errorMessage } from "../../core/errors.js";
import type { Mujoco } from "./mujoco.js";

/** Files that a model names (meshes, textures, includes), by the path under which it names them. */
export type ModelFiles = Readonly<Record<string, Uint8Array>>;

/** An MJCF document: its text, or which of the files it is. */
export type ModelText = string | { readonly path: string };

/** The model of an MJCF text, which the caller deletes. MuJoCo sees the given files and no others. */
export function compileModel(
  mujoco: Mujoco,
  xml: ModelText,
  files: ModelFiles,
  where: string,
): MjModel {
  const folder = new mujoco.MjVFS();
  try {
    for (const [path, bytes] of Object.entries(files)) folder.addBuffer(path, bytes);
    return typeof xml === "string"
      ? mujoco.MjModel.from_xml_string(xml, folder)
      : mujoco.MjModel.from_xml_path(xml.path, folder);
  } catch (error) {
    throw new DataError("bad_mjcf", `MuJoCo cannot compile the model: ${wordsOf(error)}`, {
      where,
      cause: error,
    });
  } finally {
    folder.delete();
  }
}

/** `MuJoCo Error: Loading error: XML Error: ...` on several lines, as one sentence. */
export function wordsOf(error: unknown): string {
  return errorMessage(error)
    .replace(/^(MuJoCo Error: |Loading error: )+/, "")
    .trim()
    .replaceAll(/\s*\n\s*/g, ", ");
}

import type { MjModel } from "@mujoco/mujoco";
import { DataError, errorMessage } from "../../../core/errors.js";
import { ModelFolder } from "./model-folder.js";
import { checkModelSize, type MjcfDocument } from "./model-size.js";
import { type Mujoco, reloadAfter } from "./mujoco.js";

/** From this size on, files are passed through the file system: `MjVFS` would take half a second. */
const LARGE_BYTES = 2 ** 19;

/** File name of a model's text, which no file of a model has. */
const TEXT = "the model's text.xml";

/** Meshes, textures and includes, by the path in the model. */
export type ModelFiles = Readonly<Record<string, Uint8Array>>;

/** An MJCF document: its text, or its path among the files. */
export type ModelText = string | { readonly path: string };

/**
 * Compiles an MJCF document, with access to the given files only. The caller deletes the model.
 *
 * @throws DataError `mjcf_too_large` before MuJoCo reads it, `bad_mjcf` where MuJoCo rejects it
 */
export function compileModel(
  mujoco: Mujoco,
  xml: ModelText,
  files: ModelFiles,
  where: string,
): MjModel {
  checkModelSize(documentsOf(xml, files, where));
  const list = new mujoco.MjVFS();
  const folder = isLarge(files) ? ModelFolder.write(mujoco, withText(xml, files)) : undefined;
  try {
    if (folder) {
      const path = folder.pathOf(typeof xml === "string" ? TEXT : xml.path);
      return mujoco.MjModel.from_xml_path(path, list);
    }
    for (const [path, bytes] of Object.entries(files)) list.addBuffer(path, bytes);
    return typeof xml === "string"
      ? mujoco.MjModel.from_xml_string(xml, list)
      : mujoco.MjModel.from_xml_path(xml.path, list);
  } catch (error) {
    reloadAfter(error);
    throw new DataError("bad_mjcf", `MuJoCo cannot compile the model: ${mujocoMessage(error)}`, {
      where,
      cause: error,
    });
  } finally {
    folder?.remove();
    list.delete();
  }
}

/** The main document first. Any file may be an included document, whatever its name and first characters. */
function documentsOf(xml: ModelText, files: ModelFiles, where: string): readonly MjcfDocument[] {
  const documents = Object.entries(files).map(([path, bytes]) => ({ path, text: textOf(bytes) }));
  if (typeof xml === "string") return [{ path: where, text: xml }, ...documents];
  const isMain = ({ path }: MjcfDocument) => path === xml.path;
  return [...documents.filter(isMain), ...documents.filter((one) => !isMain(one))];
}

/** Up to the first zero byte, where MuJoCo's XML parser stops; images and binary meshes have one early. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

function isLarge(files: ModelFiles): boolean {
  return Object.values(files).reduce((sum, { length }) => sum + length, 0) >= LARGE_BYTES;
}

function withText(xml: ModelText, files: ModelFiles): ModelFiles {
  return typeof xml === "string" ? { ...files, [TEXT]: new TextEncoder().encode(xml) } : files;
}

/** MuJoCo's error message without its prefixes, on one line. */
export function mujocoMessage(error: unknown): string {
  return errorMessage(error)
    .replace(/^(MuJoCo Error: |Loading error: )+/, "")
    .trim()
    .replaceAll(/\s*\n\s*/g, ", ");
}

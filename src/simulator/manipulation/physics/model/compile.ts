import { createHash } from "node:crypto";
import type { MjModel } from "@mujoco/mujoco";
import { DataError, errorMessage } from "../../../../core/errors.js";
import { isOutOfMemory, type Mujoco, reloadAfter } from "../mujoco.js";
import type { ModelCache } from "./cache.js";
import { contentHash } from "./content-hash.js";
import { ModelFolder, pathOf } from "./folder.js";
import { checkFileSizes, checkModelSize, type MjcfDocument } from "./size.js";

/** Models with fewer bytes of files compile as quickly as a cached one is read. */
const CACHED_BYTES = 2 ** 19;
/** Version of the keys of cached models. Increase it when the same input is to be compiled in another way. */
const CACHE_VERSION = 1;

/** File name of a model's text, which no file of a model has. */
const TEXT = "the model's text.xml";
/** File name of a compiled model. */
const COMPILED = "the compiled model.mjb";

/** Meshes, textures and includes, by the path in the model. */
export type ModelFiles = Readonly<Record<string, Uint8Array>>;

/** An MJCF document: its text, or its path among the files. */
export type ModelText = string | { readonly path: string };

/**
 * Compiles an MJCF document, with access to the given files only. The caller deletes the model.
 *
 * @param cache has models with large files, which take seconds to compile
 * @throws DataError `mjcf_too_large` before MuJoCo reads it, `bad_mjcf` where MuJoCo rejects it
 */
export function compileModel(
  mujoco: Mujoco,
  xml: ModelText,
  files: ModelFiles,
  where: string,
  cache?: ModelCache,
): MjModel {
  checkFileSizes(files);
  checkModelSize(documentsOf(xml, files, where));
  if (!cache || !isSlow(files)) return compiled(mujoco, xml, files, where);
  const key = modelKey(mujoco, xml, files);
  const stored = cache.read(key);
  const known = stored && loaded(mujoco, stored);
  if (known) return known;
  const model = compiled(mujoco, xml, files, where);
  cache.write(key, savedBytes(mujoco, model));
  return model;
}

function compiled(mujoco: Mujoco, xml: ModelText, files: ModelFiles, where: string): MjModel {
  const isText = typeof xml === "string";
  const list = new mujoco.MjVFS();
  let folder: ModelFolder | undefined;
  try {
    if (isText && Object.keys(files).length === 0) return mujoco.MjModel.from_xml_string(xml, list);
    folder = new ModelFolder(mujoco, {
      ...files,
      ...(isText ? { [TEXT]: new TextEncoder().encode(xml) } : {}),
    });
    return mujoco.MjModel.from_xml_path(pathOf(isText ? TEXT : xml.path), list);
  } catch (error) {
    reloadAfter(error);
    throw mujocoError("compile", error, files, where);
  } finally {
    folder?.remove();
    list.delete();
  }
}

/** Whether a model with these files takes so long to compile that results are worth caching. */
export function isSlow(files: ModelFiles): boolean {
  return bytesOf(files) >= CACHED_BYTES;
}

/** A hash of everything that the compiled model depends on. */
export function modelKey(mujoco: Mujoco, xml: ModelText, files: ModelFiles): string {
  const parts = Object.entries(files).map(([path, bytes]) => [path, contentHash(bytes)]);
  const whole = [CACHE_VERSION, mujoco.mj_versionString(), xml, parts];
  return createHash("sha256").update(JSON.stringify(whole)).digest("hex");
}

/** Undefined if MuJoCo rejects the bytes. */
function loaded(mujoco: Mujoco, bytes: Uint8Array): MjModel | undefined {
  const list = new mujoco.MjVFS();
  const folder = new ModelFolder(mujoco, { [COMPILED]: bytes });
  try {
    return mujoco.MjModel.from_binary_path(pathOf(COMPILED), list);
  } catch {
    return undefined;
  } finally {
    folder.remove();
    list.delete();
  }
}

function savedBytes(mujoco: Mujoco, model: MjModel): Uint8Array {
  const path = `/${COMPILED}`;
  mujoco.mj_saveModel(model, path, null);
  const bytes: Uint8Array = mujoco.FS.readFile(path, { encoding: "binary" });
  mujoco.FS.unlink(path);
  return bytes;
}

/** The code of `<`. */
const LESS_THAN = 0x3c;

/** The main document first. Any file may be an included document, whatever its name and first characters. */
function documentsOf(xml: ModelText, files: ModelFiles, where: string): readonly MjcfDocument[] {
  const documents = Object.entries(files)
    // Meshes as text have megabytes, and no tags.
    .filter(([, bytes]) => bytes.includes(LESS_THAN))
    .map(([path, bytes]) => ({ path, text: textOf(bytes) }));
  if (typeof xml === "string") return [{ path: where, text: xml }, ...documents];
  const isMain = ({ path }: MjcfDocument) => path === xml.path;
  return [...documents.filter(isMain), ...documents.filter((one) => !isMain(one))];
}

/** Up to the first zero byte, where MuJoCo's XML parser stops; images and binary meshes have one early. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

function bytesOf(files: ModelFiles): number {
  return Object.values(files).reduce((sum, { length }) => sum + length, 0);
}

/** Adds a hint to MuJoCo's error of exhausted memory, which does not tell what to do. */
export function mujocoError(
  what: "compile" | "simulate",
  error: unknown,
  files: ModelFiles,
  where: string,
): DataError {
  const message = mujocoMessage(error);
  if (!isOutOfMemory(error)) {
    const text = `MuJoCo cannot ${what} the model: ${message}`;
    return new DataError("bad_mjcf", text, { where, cause: error });
  }
  const mib = Math.ceil(bytesOf(files) / 2 ** 20);
  return new DataError(
    "mjcf_too_large",
    `MuJoCo cannot ${what} the model: it needs more than the 2 GiB of memory that MuJoCo has in WebAssembly (${message}); its files have ${mib} MiB`,
    { where, hint: "use meshes with fewer triangles and smaller textures", cause: error },
  );
}

/** MuJoCo's error message without its prefixes, on one line. */
export function mujocoMessage(error: unknown): string {
  return errorMessage(error)
    .replace(/^(MuJoCo Error: |Loading error: )+/, "")
    .trim()
    .replaceAll(/\s*\n\s*/g, ", ");
}

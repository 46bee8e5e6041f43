import { readFile } from "node:fs/promises";
import { DataError, errorCode, errorMessage } from "../../core/errors.js";

/** The bytes of a scene's main file, or a DataError that says why there are none. */
export async function readSceneFile(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw sceneFileError(error, file);
  }
}

export function sceneFileError(error: unknown, file: string): DataError {
  const code = errorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new DataError("missing_scene", "there is no such scene file", {
      where: file,
      hint: "put the scene there, or point the benchmark's scene folder at it",
    });
  }
  if (code === "EISDIR") {
    return new DataError("missing_scene", "this is a folder, not a scene file", {
      where: file,
      hint: "name the .glb, .gltf or .obj file in it",
    });
  }
  return new DataError("unreadable_scene", `cannot read the scene: ${errorMessage(error)}`, {
    where: file,
    cause: error,
  });
}

/** A file that another one names: a buffer, a texture, a material library. */
export async function readNamedFile(
  path: string,
  what: "buffer" | "texture",
  namedBy: string,
): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new DataError(
      `missing_${what}`,
      `the scene's ${what} file cannot be read: ${errorMessage(error)}`,
      { where: namedBy, hint: `it is looked for at ${path}`, cause: error },
    );
  }
}

import { readFile } from "node:fs/promises";
import { DataError, errorCode, errorMessage } from "../../core/errors.js";
import { rejectLfsPointer } from "../../core/lfs-pointer.js";
import { checkWithin } from "./within.js";

/** Reads a scene's main file, or throws a DataError that gives the reason. */
export async function readSceneFile(file: string): Promise<Uint8Array> {
  await checkWithin(file);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw sceneFileError(error, file);
  }
  rejectLfsPointer(bytes, file);
  return bytes;
}

export function sceneFileError(error: unknown, file: string): DataError {
  const code = errorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new DataError("missing_scene", "the scene file does not exist", {
      where: file,
      hint: "put the scene there, or set the benchmark's scene folder (simulator.scenes)",
    });
  }
  if (code === "EISDIR") {
    return new DataError("missing_scene", "the scene's path is a folder, not a file", {
      where: file,
      hint: "give the path of the .glb, .gltf or .obj file in it",
    });
  }
  return new DataError("unreadable_scene", `cannot read the scene: ${errorMessage(error)}`, {
    where: file,
    cause: error,
  });
}

/** Reads a file that the scene refers to: a buffer, a texture or a material library. */
export async function readNamedFile(
  path: string,
  what: "buffer" | "texture",
  namedBy: string,
): Promise<Uint8Array> {
  await checkWithin(path);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new DataError(
      `missing_${what}`,
      `the scene's ${what} file cannot be read: ${errorMessage(error)}`,
      { where: namedBy, hint: `the expected path is ${path}`, cause: error },
    );
  }
  rejectLfsPointer(bytes, path);
  return bytes;
}

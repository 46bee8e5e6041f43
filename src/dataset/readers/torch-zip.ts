import { readFile, stat } from "node:fs/promises";
import { DataError, show } from "../../core/errors.js";
import { rejectLfsPointer } from "../../core/lfs-pointer.js";
import { emptyFile, opening } from "../source.js";
import { readPickledArray } from "./pickle-array.js";
import type { NumberArray } from "./pickle-calls.js";
import { ZipArchive } from "./zip.js";

/** LIBERO's files have 23 to 117 kB, so a far larger file is something else. */
const MAX_FILE = 64 * 1024 * 1024;

/**
 * Reads the array of 64-bit floats in a file written by `torch.save`: a zip archive that contains a pickle
 * and, for a tensor, a separate entry with its values.
 */
export async function readTorchArray(path: string): Promise<NumberArray> {
  const { size } = await opening(path, () => stat(path));
  if (size === 0) throw emptyFile(path);
  if (size > MAX_FILE) {
    throw new DataError("file_too_large", `the file has ${size} bytes; the limit is ${MAX_FILE}`, {
      where: path,
      hint: "check that it is a file of initial states",
    });
  }
  const bytes = await opening(path, () => readFile(path));
  rejectLfsPointer(bytes, path);
  const archive = new ZipArchive(bytes, path);
  const pickles = archive.names.filter((name) => /^[^/]+\/data\.pkl$/.test(name));
  const [pickle] = pickles;
  if (pickle === undefined || pickles.length > 1) {
    throw new DataError(
      "bad_torch_file",
      `a torch file has one <name>/data.pkl, this archive has ${show(archive.names)}`,
      { where: path, hint: "check that the file was written by torch.save" },
    );
  }
  const folder = pickle.slice(0, -"data.pkl".length);
  return readPickledArray(archive.read(pickle), `${path}, ${pickle}`, (key) =>
    archive.read(`${folder}data/${key}`),
  );
}

import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import { DataError } from "../../core/errors.js";

/**
 * Resolves the real path of a file, which must lie in a folder. Names come from URLs and from untrusted documents, and
 * symbolic links may lead anywhere.
 *
 * @param folder the folder's real path
 * @throws DataError `missing_file` or `outside_folder`
 */
export async function inside(folder: string, path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) {
    throw new DataError("missing_file", "the file is missing or cannot be read", { where: path });
  }
  if (real.startsWith(`${folder}${sep}`)) return real;
  throw new DataError("outside_folder", "the file is not in the folder that is shown", {
    where: path,
    hint: "links that lead out of the folder are not followed",
  });
}

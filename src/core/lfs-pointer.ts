import { DataError } from "./errors.js";

/** https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md: the first line of every pointer file. */
const START = [..."version https://git-lfs.github.com/spec/"].map((char) => char.charCodeAt(0));

/**
 * Throws if a file is a Git LFS pointer: a clone without Git LFS has such a text of three lines in place of each large
 * file.
 *
 * @param start the first bytes of the file
 */
export function rejectLfsPointer(start: Uint8Array, where: string): void {
  if (START.some((byte, i) => start[i] !== byte)) return;
  throw new DataError("lfs_pointer", "the file is a Git LFS pointer, not the data itself", {
    where,
    hint: "run `git lfs pull` in the repository that contains the file",
  });
}

import { AsyncLocalStorage } from "node:async_hooks";
import { realpathSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { isBelow } from "../../config/paths.js";
import { DataError } from "../../core/errors.js";

const folder = new AsyncLocalStorage<string>();

/**
 * Reads an untrusted scene: every file it refers to (a texture, a buffer, an MJCF include) must lie in the
 * folder `root` after links are resolved. Without `root`, any file is allowed, as for the user's own scenes.
 */
export function readWithin<T>(root: string | undefined, read: () => Promise<T>): Promise<T> {
  return root === undefined ? read() : folder.run(realpathSync(root), read);
}

/**
 * Every reader of scene files calls this before it accesses a file. @throws DataError `outside_folder` or
 * `not_plain`
 */
export async function checkWithin(path: string): Promise<void> {
  const root = folder.getStore();
  if (root === undefined) return;
  const absolute = resolve(path);
  // Compares the paths first, so that nothing outside the folder is accessed.
  if (!isBelow(root, absolute)) throw outside(path, root);
  const real = await realpath(absolute).catch(() => absolute);
  if (!isBelow(root, real)) throw outside(path, root);
  const found = await stat(real).catch(() => undefined);
  // Reading a pipe or a device may never end. Reading a folder fails by itself.
  if (!found || found.isFile() || found.isDirectory()) return;
  throw new DataError(
    "not_plain",
    "the scene refers to a pipe, socket or device; only regular files are read",
    {
      where: path,
      hint: "replace it with a regular file",
    },
  );
}

/** Whether an optional file at this path may be accessed. */
export function mayLookAt(path: string): boolean {
  const root = folder.getStore();
  return root === undefined || isBelow(root, resolve(path));
}

function outside(path: string, root: string): DataError {
  return new DataError("outside_folder", "the scene refers to a file outside its folder", {
    where: path,
    hint: `files of an untrusted scene are read below ${root} only; pass your own copy of the scenes with --scenes`,
  });
}

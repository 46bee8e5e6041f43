import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

const LEVELS_UP = 3;

/**
 * The absolute path of a file or folder that a benchmark names.
 *
 * Benchmarks live in `configs/benchmarks/` and name `data/...`, as their authors ran them from the
 * project's root. So the working directory comes first, as it does for every other tool. But a
 * benchmark of an installed package, or one run from another folder, must find the same data: then
 * the file's own folder is tried, and up to three folders above it, which reaches the root of any
 * usual layout and stops short of wandering through the disk. When the thing is nowhere, the path in
 * the working directory is returned, since that is where a reader of the error would put it.
 */
export function resolvePath(
  config: { readonly baseDir: string },
  path: string,
  workingDirectory: string = process.cwd(),
): string {
  const usual = resolve(workingDirectory, path);
  if (isAbsolute(path) || existsSync(usual)) return usual;
  let folder = config.baseDir;
  for (let level = 0; level <= LEVELS_UP; level++) {
    const candidate = join(folder, path);
    if (existsSync(candidate)) return candidate;
    folder = dirname(folder);
  }
  return usual;
}

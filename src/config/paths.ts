import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { PACKAGE_ROOT } from "./package-root.js";

const LEVELS_UP = 3;

/**
 * Resolves a file or folder that a benchmark names to the first of these that exists:
 *
 * 1. the path in the working directory, as in other tools;
 * 2. the path in the benchmark file's folder, or in one of the three folders above it, so that a benchmark in
 *    `configs/benchmarks/` that names `data/...` works from any folder;
 * 3. for `data/...`, the data that comes with the package, so that benchmarks anywhere can use it.
 *
 * A shipped benchmark uses shipped data first: its episodes must not depend on the working directory. A path that
 * exists nowhere resolves to the working directory, where a reader of the error would put the file.
 */
export function resolvePath(
  config: { readonly baseDir: string },
  path: string,
  workingDirectory: string = process.cwd(),
): string {
  const usual = resolve(workingDirectory, path);
  if (isAbsolute(path)) return usual;
  const shipped = shippedData(path);
  const candidates = [usual, ...aboveOf(config.baseDir).map((folder) => join(folder, path))];
  const order = isShipped(config.baseDir)
    ? [...shipped, ...candidates]
    : [...candidates, ...shipped];
  return order.find((candidate) => existsSync(candidate)) ?? usual;
}

function aboveOf(baseDir: string): string[] {
  const folders = [baseDir];
  for (let level = 0; level < LEVELS_UP; level++) folders.push(dirname(folders.at(-1) ?? baseDir));
  return folders;
}

function isShipped(baseDir: string): boolean {
  return resolve(baseDir) === join(PACKAGE_ROOT, "configs", "benchmarks");
}

/** Excludes the folder `data` itself: scenes without an explicit folder are the user's. */
function shippedData(path: string): string[] {
  return /^data[\\/]./.test(path) ? [join(PACKAGE_ROOT, path)] : [];
}

/** True if a path is the folder or below it. Both are absolute; links are not resolved. */
export function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

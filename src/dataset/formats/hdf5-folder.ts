import { basename } from "node:path";
import type { BaseEpisode } from "../../core/episode/base.js";
import { DataError } from "../../core/errors.js";
import type { DatasetSource } from "../format.js";
import { hdf5PartsOf } from "../parts.js";

/** One file of recorded demonstrations. */
export interface Hdf5Part extends DatasetSource {
  /** The episode id of a demonstration's group. */
  idOf(group: string): string;
}

/**
 * Reads an HDF5 file, or all HDF5 files of a folder as one dataset. An episode's id is its group's name;
 * where several files of a folder record the same scene, the file's name comes before it, because ids are
 * unique within a scene.
 */
export async function* fileByFile(
  source: DatasetSource,
  sceneOf: (path: string) => Promise<string>,
  episodes: (part: Hdf5Part) => AsyncIterable<BaseEpisode>,
): AsyncGenerator<BaseEpisode> {
  const paths = await hdf5PartsOf(source.path);
  const scenes: string[] = [];
  if (paths.length > 1) for (const path of paths) scenes.push(await sceneOf(path));
  for (const [i, path] of paths.entries()) {
    const isShared = scenes.some((scene, j) => j !== i && scene === scenes[i]);
    const prefix = isShared ? `${stemOf(path)}_` : "";
    yield* episodes({ ...source, path, idOf: (group) => `${prefix}${group}` });
  }
}

/** Rejects a file without demonstrations: read as part of a folder, it would be missing unnoticed. */
export function requireDemos(path: string, groups: readonly string[], expected: string): void {
  if (groups.length > 0) return;
  throw new DataError("empty_dataset", `the file has no demonstrations: no group ${expected}`, {
    where: path,
    hint: "check that it was written completely; all HDF5 files of a folder must have the same format",
  });
}

/** The file's name without its ending. */
export function stemOf(path: string): string {
  return basename(path).replace(/\.(hdf5|h5)$/, "");
}

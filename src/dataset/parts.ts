import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DataError } from "../core/errors.js";
import { isRecord } from "../core/record.js";
import type { ContentSample } from "./format.js";
import { opening, readSample } from "./source.js";

/** Habitat stores one file per scene in this folder beside an index file. */
const CONTENT = "content";

/** Hidden files are skipped, such as those that macOS writes beside others. */
const JSON_FILE = /^[^.].*\.json(\.gz)?$/;
const HDF5 = /^[^.].*\.(hdf5|h5)$/;

/**
 * Returns the sorted files of a dataset's path: the file itself; the files of `content/` for an index
 * without episodes or a folder that contains `content/`; otherwise the folder's files. An index with
 * episodes of its own is read alone.
 */
export async function partsOf(path: string): Promise<readonly string[]> {
  const sample = await readSample(path);
  const parts = await otherParts(sample);
  if (parts.length > 0) return parts;
  if (sample.isDirectory) {
    throw new DataError("empty_dataset", "the folder has no .json or .json.gz files", {
      where: path,
      hint: `pass the split's folder, which contains ${CONTENT}/ or the episode files`,
    });
  }
  if (isEmptyIndex(sample)) {
    throw new DataError(
      "empty_dataset",
      `the file has no episodes, and there is no folder ${CONTENT}/ with episodes beside it`,
      { where: path, hint: `copy ${CONTENT}/<scene>.json.gz too, which contains the episodes` },
    );
  }
  return [path];
}

/** Returns the sorted HDF5 files of a folder, or the path itself if it is a file. */
export async function hdf5PartsOf(path: string): Promise<readonly string[]> {
  if (!(await opening(path, () => stat(path))).isDirectory()) return [path];
  const parts = await filesIn(path, HDF5);
  if (parts.length > 0) return parts;
  throw new DataError("empty_dataset", "the folder has no .hdf5 or .h5 files", {
    where: path,
    hint: "pass the folder that contains the files of demonstrations, or one of the files",
  });
}

/**
 * Returns files from which the format of a folder or index can be detected: the first of its JSON files and
 * the first of its HDF5 files. ManiSkill has both kinds in one folder.
 */
export async function typicalParts(sample: ContentSample): Promise<readonly string[]> {
  const [json] = await otherParts(sample);
  const [hdf5] = sample.isDirectory ? await filesIn(sample.path, HDF5) : [];
  return [json, hdf5].filter((part) => part !== undefined);
}

/** Returns the dataset's JSON files other than `sample` itself, or none if it is the only one. */
async function otherParts(sample: ContentSample): Promise<readonly string[]> {
  const { path, isDirectory, names } = sample;
  if (isDirectory) {
    const inContent = names.includes(CONTENT) ? await filesIn(join(path, CONTENT), JSON_FILE) : [];
    return inContent.length > 0 ? inContent : filesIn(path, JSON_FILE);
  }
  return isEmptyIndex(sample) ? filesIn(join(dirname(path), CONTENT), JSON_FILE) : [];
}

function isEmptyIndex({ head }: ContentSample): boolean {
  return isRecord(head) && Array.isArray(head.episodes) && head.episodes.length === 0;
}

async function filesIn(folder: string, wanted: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => wanted.test(name))
    .sort()
    .map((name) => join(folder, name));
}

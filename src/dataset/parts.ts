import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DataError } from "../core/errors.js";
import { isRecord } from "../core/record.js";
import type { ContentSample } from "./format.js";

import { readSample } from "./source.js";

/** Habitat stores one file per scene in this folder beside an index file. */
const CONTENT = "content";

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

/** Returns the dataset's files other than `sample` itself, or none if it is the only one. */
export async function otherParts(sample: ContentSample): Promise<readonly string[]> {
  const { path, isDirectory, names } = sample;
  if (isDirectory) {
    const inContent = names.includes(CONTENT) ? await jsonFiles(join(path, CONTENT)) : [];
    return inContent.length > 0 ? inContent : jsonFiles(path);
  }
  return isEmptyIndex(sample) ? jsonFiles(join(dirname(path), CONTENT)) : [];
}

function isEmptyIndex({ head }: ContentSample): boolean {
  return isRecord(head) && Array.isArray(head.episodes) && head.episodes.length === 0;
}

async function jsonFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => /^[^.].*\.json(\.gz)?$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DataError } from "../core/errors.js";
import { isRecord } from "../core/record.js";
import type { ContentSample } from "./format.js";

import { readSample } from "./source.js";

/** Beside an index file, Habitat keeps a file per scene in a folder of this name. */
const CONTENT = "content";

/**
 * The files that a dataset's path stands for, sorted: itself; the files of `content/` when it is an
 * index without episodes of its own, or a folder with a `content/` in it; a folder's files otherwise.
 * An index that has episodes stands for these alone.
 */
export async function partsOf(path: string): Promise<readonly string[]> {
  const sample = await readSample(path);
  const parts = await otherParts(sample);
  if (parts.length > 0) return parts;
  if (sample.isDirectory) {
    throw new DataError("empty_dataset", "the folder has no .json or .json.gz files", {
      where: path,
      hint: `name the split's folder, the one that has ${CONTENT}/ or the episode files in it`,
    });
  }
  if (isEmptyIndex(sample)) {
    throw new DataError(
      "empty_dataset",
      `the file has no episodes of its own, and there is no folder ${CONTENT}/ with some beside it`,
      { where: path, hint: `copy ${CONTENT}/<scene>.json.gz too: the episodes are there` },
    );
  }
  return [path];
}

/** The files that a path stands for when that is not, or not only, the path's own file; else none. */
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

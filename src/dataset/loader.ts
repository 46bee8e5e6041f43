import type { BaseEpisode } from "../core/episode/base.js";
import { DataError } from "../core/errors.js";
import type { Registry } from "../core/registry.js";
import type { ContentSample, DatasetFormat, DatasetSource } from "./format.js";
import { typicalParts } from "./parts.js";
import { describeStart, readToEnd, recognise } from "./recognise.js";
import { readSample } from "./source.js";

export type FormatRegistry = Registry<DatasetFormat>;

export interface LoadOptions extends DatasetSource {
  /** The format or its name; detected from the content if omitted. */
  readonly format?: string | DatasetFormat | undefined;
  readonly formats: FormatRegistry;
}

/**
 * Yields the episodes of a dataset. Throws if there are none or if an id repeats. With `taskType`, yields
 * only the episodes of that type.
 *
 * @example
 * const { formats } = createRegistries();
 * for await (const episode of loadEpisodes({ path: "val_seen.json.gz", formats })) {
 *   console.log(episode.episodeId, episode.instruction.text);
 * }
 */
export async function* loadEpisodes(options: LoadOptions): AsyncGenerator<BaseEpisode> {
  const format = await resolveFormat(options);
  const { path, taskType } = options;
  // Ids grouped by scene, so that a long scene name is stored only once.
  const seen = new Map<string, Set<string>>();
  const otherTypes = new Set<string>();
  for await (const episode of format.episodes(options)) {
    if (taskType !== undefined && episode.taskType !== taskType) {
      otherTypes.add(episode.taskType);
      continue;
    }
    const scene = JSON.stringify([episode.taskType, episode.sceneId]);
    const ids = seen.get(scene) ?? new Set();
    if (ids.has(episode.episodeId)) {
      throw new DataError(
        "duplicate_episode",
        `episode ${episode.episodeId} of scene ${episode.sceneId} occurs twice`,
        { where: path, hint: "make ids unique within each scene: rename or remove one" },
      );
    }
    seen.set(scene, ids.add(episode.episodeId));
    yield episode;
  }
  if (seen.size > 0) return;
  if (otherTypes.size === 0) throw emptyDataset(path);
  throw new DataError("empty_dataset", `the dataset has no episodes of type ${taskType}`, {
    where: path,
    hint: `its episodes are of type ${[...otherTypes].sort().join(", ")}`,
  });
}

/** Returns the given format, or detects it from the content. */
export async function resolveFormat(
  options: Pick<LoadOptions, "path" | "format" | "formats">,
): Promise<DatasetFormat> {
  const { path, format, formats } = options;
  if (typeof format === "string") return formats.get(format);
  return format ?? detectFormat(path, formats);
}

/**
 * Detects the format from the content, never from the name. A folder, or an index without episodes of its
 * own, takes the format of its first file unless a format recognises it directly.
 */
export async function detectFormat(path: string, formats: FormatRegistry): Promise<DatasetFormat> {
  const place = {
    path,
    hint: "name one: --format F, or dataset.<name>.format in the benchmark",
  };
  let sample = await readSample(path);
  let found = recognise(sample, formats, place);
  for (const part of found ? [] : await typicalParts(sample)) {
    sample = await readSample(part);
    found = recognise(sample, formats, place);
    if (found) break;
  }
  if (found) return found;
  if ((await readToEnd(sample)) === 0) throw emptyDataset(sample.path);
  throw unknownFormat(sample, formats);
}

function unknownFormat(sample: ContentSample, formats: FormatRegistry): DataError {
  const what = sample.isDirectory ? "folder" : "file";
  const submission = [...formats.entries()].find(([, f]) => f.submission?.detect(sample));
  return new DataError(
    "unknown_format",
    submission
      ? `this is a submission (${submission[0]}), not a dataset`
      : `the ${what} does not match any known dataset format${describeStart(sample)}`,
    {
      where: sample.path,
      hint: submission
        ? "pass the dataset it was made on, or score the submission with `robot-eval score`"
        : `${partsOf(sample)}known formats: ${formats.list().join(", ")}; name one with --format F, or dataset.<name>.format in the benchmark`,
    },
  );
}

const SHOWN_ENTRIES = 5;

/** Often the path names the folder of all splits, and the dataset is one of its entries. */
function partsOf({ isDirectory, names }: ContentSample): string {
  if (!isDirectory || names.length === 0) return "";
  const more = names.length > SHOWN_ENTRIES ? ` and ${names.length - SHOWN_ENTRIES} more` : "";
  return `the folder holds ${names.slice(0, SHOWN_ENTRIES).join(", ")}${more}: is one of these the dataset? `;
}

function emptyDataset(path: string): DataError {
  return new DataError("empty_dataset", "the dataset has no episodes", {
    where: path,
    hint: "check that it is the right file and was written completely",
  });
}

import type { BaseEpisode } from "../core/episode/base.js";
import { DataError, show } from "../core/errors.js";
import { isRecord } from "../core/record.js";
import type { Registry } from "../core/registry.js";
import { readBytes } from "./bytes.js";
import type { ContentSample, DatasetFormat, DatasetSource } from "./format.js";
import { parseJson } from "./json.js";
import { streamJson, streamJsonLines } from "./json-stream.js";
import { otherParts } from "./parts.js";
import { readSample } from "./source.js";

export type FormatRegistry = Registry<DatasetFormat>;

export interface LoadOptions extends DatasetSource {
  /** The format's name; found out from the content when not given. */
  readonly format?: string | undefined;
  readonly formats: FormatRegistry;
}

/**
 * The episodes of a dataset, checked: at least one, none twice. With `taskType`, a file of mixed
 * episodes gives those of that type.
 */
export async function* loadEpisodes(options: LoadOptions): AsyncGenerator<BaseEpisode> {
  const format = await resolveFormat(options);
  const { path, taskType } = options;
  // Ids by scene: a long scene name is kept once, and not with each of its episodes.
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
        { where: path, hint: "an id names one episode within a scene; rename or remove one" },
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

/** The named format, or the one that the content is of. */
export async function resolveFormat(
  options: Pick<LoadOptions, "path" | "format" | "formats">,
): Promise<DatasetFormat> {
  const { path, format, formats } = options;
  return format === undefined ? detectFormat(path, formats) : formats.get(format);
}

/**
 * Finds the format by content; a name may help a person but decides nothing. A folder, or an index that
 * has no episodes of its own, is of the format that its first file is of, unless it shows itself.
 */
export async function detectFormat(path: string, formats: FormatRegistry): Promise<DatasetFormat> {
  let sample = await readSample(path);
  let found = fitting(sample, formats);
  const [part] = found.length === 0 ? await otherParts(sample) : [];
  if (part !== undefined) {
    sample = await readSample(part);
    found = fitting(sample, formats);
  }
  const [first, ...others] = found;
  if (first && others.length === 0) return first[1];
  if (first) {
    const names = found.map(([name]) => name).join(", ");
    throw new DataError("unknown_format", `the content fits several formats: ${names}`, {
      where: path,
      hint: "name one: --format F, or dataset.<name>.format in the benchmark",
    });
  }
  await rejectDamaged(sample);
  throw unknownFormat(sample, formats);
}

function fitting(sample: ContentSample, formats: FormatRegistry) {
  return [...formats.entries()].filter(([, format]) => format.detect(sample));
}

function unknownFormat(sample: ContentSample, formats: FormatRegistry): DataError {
  const what = sample.isDirectory ? "folder" : "file";
  const submission = [...formats.entries()].find(([, f]) => f.submission?.detect(sample));
  return new DataError(
    "unknown_format",
    submission
      ? `this is a submission (${submission[0]}), not a dataset`
      : `the ${what} is of no known dataset format${beginning(sample)}`,
    {
      where: sample.path,
      hint: submission
        ? "give the dataset that it was made on; a submission goes to `robot-eval score`"
        : `known formats: ${formats.list().join(", ")}; name one with --format F, or dataset.<name>.format in the benchmark`,
    },
  );
}

function beginning({ text, head }: ContentSample): string {
  if (Array.isArray(head)) return isRecord(head[0]) ? `; its items have ${keysOf(head[0])}` : "";
  if (isRecord(head)) return `; its keys are ${keysOf(head)}`;
  return text === "" ? "" : `; it begins with ${show(text.slice(0, 40))}`;
}

function keysOf(record: Readonly<Record<string, unknown>>): string {
  return show(Object.keys(record), 100);
}

/**
 * A file that is recognised as nothing may be a good one that was damaged or holds nothing. Reading
 * it whole tells, and that is the better message.
 */
async function rejectDamaged({ path, text, isDirectory, names }: ContentSample): Promise<void> {
  if (isDirectory || names.length > 0) return;
  if (text === "") {
    for await (const _ of readBytes(path));
    return;
  }
  if (!/^\s*[[{]/.test(text)) return;
  // Lines of JSON are no JSON, but their first line is.
  const [firstLine = ""] = text.split("\n", 1);
  if (isJson(firstLine) && text.length > firstLine.length + 1) {
    for await (const _ of streamJsonLines(path));
    return;
  }
  let parts = 0;
  for await (const _ of streamJson(path, { lists: ["episodes"] })) parts++;
  if (parts === 0) throw emptyDataset(path);
}

function isJson(text: string): boolean {
  try {
    parseJson(text, "");
    return true;
  } catch {
    return false;
  }
}

function emptyDataset(path: string): DataError {
  return new DataError("empty_dataset", "the dataset has no episodes", {
    where: path,
    hint: "is it the right file, and was it written to the end?",
  });
}

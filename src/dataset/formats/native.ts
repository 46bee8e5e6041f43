import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { BaseEpisode } from "../../core/episode/base.js";
import { DataError, show } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import { asWritten, ROUNDED_ID } from "../check.js";
import type { DatasetFormat, DatasetSource } from "../format.js";
import { readEach } from "../read-each.js";
import { hasKeys } from "../readers/json.js";
import { streamJsonLines, streamList } from "../readers/json-stream.js";
import { readSample } from "../source.js";
import { replaceFile } from "../write-file.js";

const FORMAT = "robot-eval-episodes/1";

/**
 * robot-eval's own format: `{"format": "robot-eval-episodes/1", "episodes": [...]}`, a bare list of
 * episodes, or one episode per line. Lines may begin with `{"format", "count"}`; without it, a truncated
 * file cannot be detected.
 */
export const nativeFormat: DatasetFormat = {
  name: "native",
  description: "robot-eval's own episodes, of any task: JSON or JSON lines",
  taskTypes: [],
  profile: "design",

  detect: ({ head }) => {
    if (isRecord(head) && isOurs(head.format)) return true;
    const list = isRecord(head) && Array.isArray(head.episodes) ? head.episodes : head;
    const first: unknown = Array.isArray(list) ? list[0] : list;
    return hasKeys(first, "episode_id", "task_type", "scene_id");
  },

  async *episodes(source) {
    const { head } = await readSample(source.path);
    const isLines = hasKeys(head, "episode_id") || hasKeys(head, "count");
    yield* isLines ? fromLines(source) : fromDocument(source, head);
  },
};

async function* fromDocument(source: DatasetSource, head: unknown): AsyncGenerator<BaseEpisode> {
  const { path } = source;
  // The version precedes the episodes, so that a newer file is rejected before any episode is read.
  if (isRecord(head)) checkVersion(head.format, path);
  yield* readEach(source, streamList(path, "episodes", "episodes"), ([i, dict, text]) =>
    episodeOf(dict, text, `${path}, episodes[${i}]`),
  );
}

async function* fromLines(source: DatasetSource): AsyncGenerator<BaseEpisode> {
  yield* readEach(source, episodeLines(source.path), ({ value, line, text }) =>
    episodeOf(value, text, `${source.path}:${line}`),
  );
}

function episodeOf(dict: unknown, text: string, where: string): BaseEpisode {
  const id = isRecord(dict) ? dict.episode_id : undefined;
  if (Number.isInteger(id) && !Number.isSafeInteger(id)) {
    const problem = `episode_id: ${ROUNDED_ID}, got ${asWritten(id, "episode_id", text)}`;
    throw new DataError("bad_episode", problem, { where });
  }
  return BaseEpisode.fromDict(dict, where);
}

/** Yields the lines that are episodes, and checks their count at the end. */
async function* episodeLines(path: string) {
  let expected: unknown;
  let count = 0;
  for await (const { value, line, text } of streamJsonLines(path)) {
    if (count === 0 && expected === undefined && hasKeys(value, "format", "count")) {
      checkVersion(value.format, path);
      expected = value.count;
      continue;
    }
    yield { value, line, text };
    count++;
  }
  if (expected !== undefined && expected !== count) {
    throw new DataError(
      "truncated_dataset",
      `the first line declares ${show(expected)} episodes, but ${count} follow`,
      { where: path, hint: "the file is cut off: copy or generate it again" },
    );
  }
}

function isOurs(format: unknown): boolean {
  return typeof format === "string" && format.startsWith("robot-eval-episodes/");
}

function checkVersion(format: unknown, path: string): void {
  if (format === undefined || format === FORMAT) return;
  throw new DataError("unsupported_version", `the file's format is ${show(format)}`, {
    where: path,
    hint: isOurs(format)
      ? `this version of robot-eval reads ${FORMAT}: use a newer one`
      : `valid: "${FORMAT}"`,
  });
}

/**
 * Writes episodes as one document, or as lines if the name ends in `.jsonl`; gzipped if it ends in `.gz`.
 * The write is atomic, and the same episodes give the same bytes on every platform.
 *
 * @example
 * const episode = new BaseEpisode({ episodeId: "1", taskType: "vln", sceneId: "apartment/7" });
 * await writeNative("val.jsonl.gz", [episode]);
 */
export async function writeNative(
  path: string,
  episodes: Iterable<BaseEpisode> | AsyncIterable<BaseEpisode>,
): Promise<void> {
  const text = /\.jsonl(\.gz)?$/.test(path) ? asLines(episodes) : asDocument(episodes);
  const isPacked = path.endsWith(".gz");
  await replaceFile(path, async (temporary) => {
    const file = createWriteStream(temporary, { flags: "wx" });
    // If the pipeline failed earlier, the file would be created after its removal.
    await once(file, "open");
    if (isPacked) await pipeline(text, createGzip({ level: 9 }), file);
    else await pipeline(text, file);
    await flushToDisk(temporary, isPacked);
  });
}

async function* asDocument(
  episodes: Iterable<BaseEpisode> | AsyncIterable<BaseEpisode>,
): AsyncGenerator<string> {
  yield `{"format": "${FORMAT}", "episodes": [\n`;
  let first = true;
  for await (const episode of episodes) {
    yield `${first ? "" : ",\n"}${JSON.stringify(episode.toDict())}`;
    first = false;
  }
  yield `${first ? "" : "\n"}]}\n`;
}

/** The count precedes the lines, so all lines are buffered first. */
async function* asLines(
  episodes: Iterable<BaseEpisode> | AsyncIterable<BaseEpisode>,
): AsyncGenerator<string> {
  const lines: string[] = [];
  for await (const episode of episodes) lines.push(`${JSON.stringify(episode.toDict())}\n`);
  yield `${JSON.stringify({ format: FORMAT, count: lines.length })}\n`;
  yield* lines;
}

/** Flushes the file to disk. In gzip, byte 9 names the operating system; 255 means "unknown". */
async function flushToDisk(path: string, isPacked: boolean): Promise<void> {
  const handle = await open(path, "r+");
  try {
    if (isPacked) await handle.write(Uint8Array.of(255), 0, 1, 9);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

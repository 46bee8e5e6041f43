import { constants } from "node:buffer";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, gunzipSync, gzip, gzipSync } from "node:zlib";
import { BaseEpisode } from "../core/episode/base.js";
import { DataError, errorMessage } from "../core/errors.js";
import type { StepRecord } from "../core/interfaces/step.js";
import { isRecord } from "../core/record.js";
import { writeAtomic } from "./files.js";

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip);

const FORMAT = "robot-eval-trajectory/1";

/**
 * Of an episode's text a twentieth more is left than at zlib's usual level, in a quarter of the time, and half
 * of that again goes into the tables of a large window, of which steps that resemble the last one have no need:
 * packing would be a good part of what the platform adds to a step.
 */
const PACKING = { level: 1, windowBits: 13, memLevel: 6 } as const;

/** A shorter text is packed sooner than a thread is found for it. */
const SHORT = 2 ** 20;

/** More does not fit into a string; a file that somebody made to unpack without end must not take all memory. */
const MOST_BYTES = constants.MAX_STRING_LENGTH;

/** One recorded episode: what was asked, and what happened. */
export interface Trajectory {
  readonly episode: BaseEpisode;
  readonly records: readonly StepRecord[];
}

/**
 * Collects an episode's step records as the text they will be on disk, so that memory holds one
 * episode at a time and nothing is written for an episode that is never finished.
 *
 * The first line is a header with the episode itself: a trajectory can be re-scored and looked at when
 * the dataset is elsewhere, and a run's size in memory does not depend on the dataset's.
 */
export class TrajectoryBuffer {
  readonly #episode: BaseEpisode;
  readonly #records: string[] = [];

  constructor(episode: BaseEpisode) {
    this.#episode = episode;
  }

  add(record: StepRecord): void {
    this.#records.push(JSON.stringify(record));
  }

  /** The file's bytes. The same records give the same ones: zlib writes no time stamp of its own. */
  async pack(): Promise<Uint8Array> {
    const header = JSON.stringify({ format: FORMAT, episode: this.#episode.toDict() });
    const text = `${[header, ...this.#records].join("\n")}\n`;
    return text.length < SHORT ? gzipSync(text, PACKING) : gzipAsync(text, PACKING);
  }

  /** Writes the file; the run's log brings it to the disk (see `EpisodeLog`). */
  async write(path: string): Promise<void> {
    await writeAtomic(path, await this.pack(), "later");
  }
}

/** Collected and packed elsewhere: only bytes travel between threads. */
export class PackedTrajectory extends TrajectoryBuffer {
  readonly #bytes: Uint8Array;

  constructor(episode: BaseEpisode, bytes: Uint8Array) {
    super(episode);
    this.#bytes = bytes;
  }

  override add(): never {
    throw new Error("a packed trajectory takes no more records");
  }

  override pack(): Promise<Uint8Array> {
    return Promise.resolve(this.#bytes);
  }
}

/** Reads a trajectory file whole; it holds one episode. Damage is a DataError that names the place. */
export async function readTrajectory(path: string): Promise<Trajectory> {
  const [header, ...lines] = (await readGzip(path)).trimEnd().split("\n");
  const head = parse(header ?? "", path, 1);
  if (!isRecord(head) || head.format !== FORMAT) {
    throw new DataError("damaged_trajectory", `the first line is no ${FORMAT} header`, {
      where: `${path}:1`,
    });
  }
  return {
    episode: BaseEpisode.fromDict(head.episode, `${path}:1`),
    records: lines.map((line, step) => decodeRecord(parse(line, path, step + 2), path, step)),
  };
}

async function readGzip(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new DataError("missing_file", "the trajectory is missing or cannot be read", {
      where: path,
      cause,
    });
  });
  try {
    // A small file is unpacked sooner than a thread is found for it.
    const small = bytes.length < 64 * 1024;
    const most = { maxOutputLength: MOST_BYTES };
    return (small ? gunzipSync(bytes, most) : await gunzipAsync(bytes, most)).toString("utf8");
  } catch (cause) {
    throw new DataError(
      "damaged_gzip",
      `the gzip file is damaged or cut off: ${errorMessage(cause)}`,
      {
        where: path,
        cause,
      },
    );
  }
}

function parse(text: string, path: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DataError("damaged_trajectory", `not valid JSON: ${errorMessage(cause)}`, {
      where: `${path}:${line}`,
      cause,
    });
  }
}

/** JSON has no Infinity, so an unreachable goal's distance is null on disk. */
function decodeRecord(raw: unknown, path: string, step: number): StepRecord {
  if (!isRecord(raw) || raw.step !== step || !isRecord(raw.state)) {
    throw new DataError("damaged_trajectory", `this line is not step ${step}`, {
      where: `${path}:${step + 2}`,
    });
  }
  const unreachable = raw.state.distance_to_goal === null;
  const state = unreachable
    ? { ...raw.state, distance_to_goal: Number.POSITIVE_INFINITY }
    : raw.state;
  return { ...raw, state } as unknown as StepRecord;
}

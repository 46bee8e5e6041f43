import { dirname } from "node:path";
import { promisify } from "node:util";
import { gunzip, gunzipSync, gzip, gzipSync } from "node:zlib";
import { BaseEpisode } from "../../core/episode/base.js";
import { DataError, errorMessage, show } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { isRecord } from "../../core/record.js";
import { checkJsonSize, MAX_JSON_ENTRY } from "../../dataset/readers/json-limits.js";
import { writeAtomic } from "./files.js";
import { parseDocument } from "./json-lines.js";
import { lineName } from "./line-name.js";
import { checkPlain, readPlain } from "./plain-files.js";
import type { RunDirectory } from "./run-directory.js";

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip);

const FORMAT = "robot-eval-trajectory/2";
/** Earlier format without facts: its verdicts are used as recorded and cannot be judged again. */
const FORMAT_WITHOUT_FACTS = "robot-eval-trajectory/1";

/**
 * zlib settings. Level 1 gives 5 % larger files than the default in a quarter of the time, and a small window halves
 * the time again: successive steps resemble each other, so matches are near. Packing would otherwise be a large
 * part of the platform's cost per step.
 */
const PACKING = { level: 1, windowBits: 13, memLevel: 6 } as const;

/** Shorter texts are packed synchronously, which is faster than the thread pool. */
const SHORT = 2 ** 20;

/** Maximum unpacked size; guards against decompression bombs. */
const MOST_BYTES = MAX_JSON_ENTRY;

/** A recorded episode with its steps. */
export interface Trajectory {
  readonly episode: BaseEpisode;
  readonly records: readonly StepRecord[];
  /** Version of the format; version 1 has no facts. */
  readonly version: 1 | 2;
}

/**
 * Collects an episode's step records as the text of the file. Memory holds one episode at a time, and an unfinished
 * episode writes nothing.
 *
 * The first line is a header with the episode itself, so that a trajectory can be scored and displayed without the
 * dataset.
 */
export class TrajectoryBuffer {
  readonly #records: string[] = [];

  constructor(
    private readonly episode: BaseEpisode,
    records: readonly StepRecord[] = [],
  ) {
    for (const record of records) this.add(record);
  }

  add(record: StepRecord): void {
    this.#records.push(JSON.stringify(record));
  }

  /** The bytes of the file. Equal records give equal bytes: Node's zlib writes no time stamp. */
  async pack(): Promise<Uint8Array> {
    const header = JSON.stringify({ format: FORMAT, episode: this.episode.toDict() });
    const text = `${[header, ...this.#records].join("\n")}\n`;
    return text.length < SHORT ? gzipSync(text, PACKING) : gzipAsync(text, PACKING);
  }

  /** Writes the file; `EpisodeLog` syncs it. */
  async write(path: string): Promise<void> {
    await writeAtomic(path, await this.pack(), "later");
  }
}

/** A trajectory that a worker thread has packed; only its bytes cross threads. */
export class PackedTrajectory extends TrajectoryBuffer {
  constructor(
    episode: BaseEpisode,
    private readonly bytes: Uint8Array,
  ) {
    super(episode);
  }

  override add(): never {
    throw new Error("cannot add records to a packed trajectory");
  }

  override pack(): Promise<Uint8Array> {
    return Promise.resolve(this.bytes);
  }
}

/** Reads the trajectory of a result line, or throws if none was saved. */
export function savedTrajectory(
  run: RunDirectory,
  line: EpisodeLine,
  hint?: string,
): Promise<Trajectory> {
  const file = run.trajectoryOf(line);
  return file === null ? Promise.reject(noTrajectory(run, line, hint)) : readTrajectory(file);
}

export function noTrajectory(
  run: RunDirectory,
  { episode_key, repeat }: EpisodeLine,
  hint = "run the benchmark again with `output.save_trajectories: true`",
): DataError {
  const problem = `episode ${lineName(episode_key, repeat)} has no saved trajectory`;
  return new DataError("no_trajectory", problem, { where: run.path, hint });
}

/** Rejects a scene other than the recorded one, by the hash in the episode's first record. */
export function checkScene(
  line: EpisodeLine,
  found: string | undefined,
  [first]: readonly StepRecord[],
  hint: string,
): void {
  const recorded = first?.state.scene_sha256;
  if (found === undefined || recorded === undefined || found === recorded) return;
  throw new DataError(
    "other_scene",
    `episode ${line.episode_key} was recorded in another ${line.scene_id} than the one found now`,
    { where: `sha256 recorded ${show(recorded)}, found "${found}"`, hint },
  );
}

/**
 * Reads the trajectory of one episode. @throws DataError with the location if it is damaged
 *
 * @example
 * const run = await RunDirectory.open("runs/20260101T120000Z-vln");
 * for await (const line of run.episodes()) {
 *   const file = run.trajectoryOf(line);
 *   if (file !== null) console.log((await readTrajectory(file)).records.length);
 * }
 */
export async function readTrajectory(path: string): Promise<Trajectory> {
  const [header, ...lines] = (await readGzip(path)).trimEnd().split("\n");
  const head = parse(header ?? "", path, 1);
  const format = isRecord(head) ? head.format : undefined;
  if (!isRecord(head) || (format !== FORMAT && format !== FORMAT_WITHOUT_FACTS)) {
    throw new DataError("damaged_trajectory", `the first line is not a ${FORMAT} header`, {
      where: `${path}:1`,
      hint: "a later version of robot-eval may have written it: update to read it",
    });
  }
  return {
    version: format === FORMAT ? 2 : 1,
    episode: BaseEpisode.fromDict(head.episode, `${path}:1`),
    records: lines.map((line, step) => decodeRecord(parse(line, path, step + 2), path, step)),
  };
}

async function readGzip(path: string): Promise<string> {
  await checkPlain(dirname(path), "folder");
  const bytes = await readPlain(path).catch((cause: unknown) => {
    if (cause instanceof DataError) throw cause;
    throw new DataError("missing_file", "the trajectory is missing or cannot be read", {
      where: path,
      cause,
    });
  });
  try {
    // Small files are unpacked synchronously, which is faster than the thread pool.
    const small = bytes.length < 64 * 1024;
    const most = { maxOutputLength: MOST_BYTES };
    const unpacked = small ? gunzipSync(bytes, most) : await gunzipAsync(bytes, most);
    checkJsonSize(unpacked, path);
    return unpacked.toString("utf8");
  } catch (cause) {
    if (cause instanceof DataError) throw cause;
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
  return parseDocument(text, "damaged_trajectory", `${path}:${line}`);
}

/** JSON has no Infinity, so the distance to an unreachable goal is null on disk. */
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

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, DataError, show } from "../../core/errors.js";
import { fromPlainError } from "../../core/plain-error.js";
import type { DatasetSource } from "../format.js";
import { type JobValue, READER_JOBS, type ReaderJob } from "./jobs.js";
import { type ReaderLimits, ReaderProcess } from "./reader-process.js";

/** The program of the reader processes, beside this file in the build output. */
const ENTRY = new URL("./reader-main.js", import.meta.url);

/** Each chunk takes far less than a second to read. */
const DEFAULT_SECONDS = 30;
const DEFAULT_MEGABYTES = 2048;

/** The latest reader process, reused because starting one and loading the HDF5 library takes 0.1 s. */
let idle: ReaderProcess | undefined;

/** Yields the episodes of a format that is read in a child process. */
export async function* episodesInChild(
  job: Exclude<ReaderJob, "hdf5_names">,
  source: DatasetSource,
): AsyncGenerator<BaseEpisode> {
  for await (const dict of readInChild(job, source)) yield BaseEpisode.fromCheckedDict(dict);
}

/**
 * Yields the values of a job from a child process, which is killed if it exceeds a limit. If the child's
 * program does not exist, as in the sources or a single-file bundle, reads in this process without limits.
 */
export async function* readInChild<J extends ReaderJob>(
  job: J,
  source: DatasetSource,
  { entry = ENTRY, limits = readerLimits() }: { entry?: URL; limits?: ReaderLimits } = {},
): AsyncGenerator<JobValue<J>> {
  if (!existsSync(fileURLToPath(entry))) {
    yield* valuesOf<J>(READER_JOBS[job](source));
    return;
  }
  const reused = idle?.isReusable(entry, limits) ? idle : undefined;
  if (reused) idle = undefined;
  const reader = reused ?? new ReaderProcess(entry, limits);
  const { path, taskType, gtPath, partial, onBadEpisode } = source;
  const reportsBad = onBadEpisode !== undefined;
  const wasmBytes = reader.limits.megabytes * 2 ** 20;
  reader.send({
    ...{ type: "read", job, wasmBytes },
    source: { path, taskType, gtPath, partial, reportsBad },
  });
  let isDone = false;
  try {
    for (;;) {
      const next = await reader.next();
      if (next.type === "end") break;
      if (next.type === "bad") {
        const error = fromPlainError(next.error);
        if (!(error instanceof DataError)) throw error;
        onBadEpisode?.(error);
        continue;
      }
      reader.send({ type: "more" });
      yield next.value as JobValue<J>;
    }
    isDone = true;
  } catch (error) {
    // After an HDF5 failure the library's memory may be corrupted, so the process is not reused.
    isDone = error instanceof DataError && !reader.isLost && error.code !== "damaged_hdf5";
    throw error;
  } finally {
    if (isDone) {
      idle?.end();
      idle = reader;
      reader.unref();
    } else reader.end();
  }
}

async function* valuesOf<J extends ReaderJob>(
  values: AsyncIterable<unknown>,
): AsyncGenerator<JobValue<J>> {
  for await (const value of values) yield value as JobValue<J>;
}

function readerLimits(): ReaderLimits {
  return {
    seconds: limitFrom("ROBOT_EVAL_READ_SECONDS", DEFAULT_SECONDS, 2 ** 21),
    megabytes: limitFrom("ROBOT_EVAL_READ_MEMORY_MB", DEFAULT_MEGABYTES, 2 ** 20),
  };
}

function limitFrom(name: string, usual: number, most: number): number {
  const text = process.env[name];
  if (text === undefined || text === "") return usual;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new ConfigError("bad_limit", `${show(text)} is not a valid limit`, {
    where: name,
    hint: `set it to an integer from 1 to ${most}`,
  });
}

import { constants } from "node:fs";
import { access, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DataError, errorMessage } from "../core/errors.js";
import type { EpisodeLine, RunInfo, RunSummary } from "../core/interfaces/result.js";
import { EpisodeLog, readEpisodeLog } from "./episode-log.js";
import { safeFileName } from "./file-names.js";
import { writeJson } from "./files.js";

const RUN_FORMAT = "robot-eval-run/1";

/** The names inside a run directory. docs/run-directory.md describes each. */
const FILES = {
  info: "run.json",
  benchmark: "benchmark.yaml",
  episodes: "episodes.jsonl",
  summary: "summary.json",
  trajectories: "trajectories",
} as const;

/** A run on disk, to read. */
export class RunDirectory {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Checks that there is a run of a format this version reads, and says what is wrong if not. */
  static async open(path: string): Promise<RunDirectory> {
    const folder = await stat(path).catch(() => undefined);
    if (!folder?.isDirectory()) {
      throw new DataError("no_run", `there is no run directory`, { where: path });
    }
    const run = new RunDirectory(path);
    const info = await run.info();
    if (info.format !== RUN_FORMAT) {
      throw new DataError("wrong_version", `format is ${JSON.stringify(info.format)}`, {
        where: run.file("info"),
        hint: `this version reads ${RUN_FORMAT}`,
      });
    }
    return run;
  }

  file(name: keyof typeof FILES): string {
    return join(this.path, FILES[name]);
  }

  info(): Promise<RunInfo> {
    return readDocument<RunInfo>(this.file("info"));
  }

  summary(): Promise<RunSummary> {
    return readDocument<RunSummary>(this.file("summary"));
  }

  episodes(): AsyncGenerator<EpisodeLine> {
    return readEpisodeLog(this.file("episodes"));
  }

  /** Absolute path of an episode's trajectory, or null when none was saved. */
  trajectoryOf(line: EpisodeLine): string | null {
    return line.trajectory === null ? null : join(this.path, line.trajectory);
  }

  /** Where an episode's trajectory belongs, relative to the run directory. */
  static trajectoryName(episodeKey: string): string {
    return `${FILES.trajectories}/${safeFileName(episodeKey)}.jsonl.gz`;
  }
}

/**
 * A run being written. It stands under its final name from the start when it can be resumed
 * (`live`), or appears there only when it is complete (`whole`).
 */
export class RunWriter {
  readonly path: string;
  readonly #finalPath: string;
  readonly #log: EpisodeLog;
  #info: RunInfo;

  private constructor(path: string, finalPath: string, log: EpisodeLog, info: RunInfo) {
    this.path = path;
    this.#finalPath = finalPath;
    this.#log = log;
    this.#info = info;
  }

  static async create(
    parent: string,
    info: RunInfo,
    benchmarkText: string | undefined,
    appear: "live" | "whole",
  ): Promise<RunWriter> {
    const finalPath = join(parent, info.run_id);
    const path = appear === "live" ? finalPath : join(parent, `.${info.run_id}.partial`);
    try {
      await mkdir(join(path, FILES.trajectories), { recursive: true });
    } catch (cause) {
      throw new DataError("cannot_write", `cannot make the run directory: ${errorMessage(cause)}`, {
        where: path,
        hint: "choose another folder with --out or output.log_dir",
        cause,
      });
    }
    await writeJson(join(path, FILES.info), info);
    if (benchmarkText !== undefined) await writeFile(join(path, FILES.benchmark), benchmarkText);
    const log = await EpisodeLog.open(join(path, FILES.episodes));
    return new RunWriter(path, finalPath, log, info);
  }

  append(line: EpisodeLine): Promise<void> {
    return this.#log.append(line);
  }

  /** Writes summary.json, closes the run with the summary's status and returns its final place. */
  async finish(
    summary: RunSummary,
    finishedAt: string,
    warnings: readonly string[],
  ): Promise<string> {
    await this.#log.close();
    await writeJson(join(this.path, FILES.summary), summary);
    this.#info = { ...this.#info, status: summary.status, finished_at: finishedAt, warnings };
    await writeJson(join(this.path, FILES.info), this.#info);
    if (this.path !== this.#finalPath) await rename(this.path, this.#finalPath);
    return this.#finalPath;
  }

  /** Gives up: a `whole` run leaves nothing behind, a `live` one stays as it is, to be resumed. */
  async abandon(): Promise<void> {
    await this.#log.close().catch(() => {});
    if (this.path !== this.#finalPath) await rm(this.path, { recursive: true, force: true });
  }
}

/** A run id that is free in `parent`: `<base>`, else `<base>-2`, ... */
export async function freeRunId(parent: string, base: string): Promise<string> {
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    const taken = await access(join(parent, id), constants.F_OK).then(
      () => true,
      () => false,
    );
    if (!taken) return id;
  }
}

async function readDocument<T>(path: string): Promise<T> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    throw new DataError("missing_file", `${basename(path)} is missing or cannot be read`, {
      where: dirname(path),
      hint: "is this a run directory?",
      cause,
    });
  }
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new DataError("damaged_file", `not valid JSON: ${errorMessage(cause)}`, {
      where: path,
      cause,
    });
  }
}

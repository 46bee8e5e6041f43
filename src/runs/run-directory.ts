import { constants } from "node:fs";
import { access, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DataError, errorMessage } from "../core/errors.js";
import type { EpisodeLine, RunInfo, RunSummary } from "../core/interfaces/result.js";
import { EpisodeLog, readEpisodeLog } from "./episode-log.js";
import { safeFileName } from "./file-names.js";
import { syncFile, syncFolder, writeAtomic, writeJson } from "./files.js";
import type { TrajectoryBuffer } from "./trajectory.js";

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
  /** Trajectories that a power cut could still take. */
  readonly #unsynced: string[] | undefined;
  #info: RunInfo;

  private constructor(init: WriterInit) {
    this.path = init.path;
    this.#finalPath = init.finalPath;
    this.#log = init.log;
    this.#info = init.info;
    this.#unsynced = init.unsynced;
  }

  static async create(
    parent: string,
    info: RunInfo,
    benchmarkText: string,
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
    await writeAtomic(join(path, FILES.benchmark), benchmarkText);
    // A run that can be made again from its source at any time need not be synced file by file.
    const unsynced: string[] | undefined = appear === "live" ? [] : undefined;
    const log = await EpisodeLog.open(join(path, FILES.episodes), () =>
      syncAll(unsynced?.splice(0) ?? [], join(path, FILES.trajectories)),
    );
    return new RunWriter({ path, finalPath, log, info, unsynced });
  }

  /** Saves an episode's steps; gives the name that its line refers to them by. */
  async saveTrajectory(episodeKey: string, steps: TrajectoryBuffer): Promise<string> {
    const name = RunDirectory.trajectoryName(episodeKey);
    const path = join(this.path, name);
    await steps.write(path);
    this.#unsynced?.push(path);
    return name;
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

interface WriterInit {
  readonly path: string;
  readonly finalPath: string;
  readonly log: EpisodeLog;
  readonly info: RunInfo;
  readonly unsynced: string[] | undefined;
}

async function syncAll(files: readonly string[], folder: string): Promise<void> {
  if (files.length === 0) return;
  for (const file of files) await syncFile(file);
  await syncFolder(folder);
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

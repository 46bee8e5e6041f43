import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DataError, errorCode, errorMessage, show } from "../core/errors.js";
import type { EpisodeLine, RunInfo, RunSummary } from "../core/interfaces/result.js";
import { EpisodeLog, readEpisodeLog } from "./episode-log.js";
import { safeFileName } from "./file-names.js";
import { syncFile, syncFolder, writeAtomic, writeJson } from "./files.js";
import { RunLog } from "./run-log.js";
import type { TrajectoryBuffer } from "./trajectory.js";

const RUN_FORMAT = "robot-eval-run/1";

/** The names inside a run directory. docs/run-directory.md describes each. */
const FILES = {
  info: "run.json",
  benchmark: "benchmark.yaml",
  episodes: "episodes.jsonl",
  summary: "summary.json",
  trajectories: "trajectories",
  log: "log.jsonl",
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
      throw new DataError("wrong_version", `format is ${show(info.format)}`, {
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
    return readDocument<RunInfo>(this.file("info"), "is this a run directory?");
  }

  summary(): Promise<RunSummary> {
    return readDocument<RunSummary>(
      this.file("summary"),
      "it is written when a run ends; until then there is only episodes.jsonl",
    );
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
 * A run stands under its final name from the start when it can be resumed (`live`), or appears there
 * only when it is complete (`whole`).
 */
type Appearance = "live" | "whole";

/** A run being written. */
export class RunWriter {
  /** What happens along the way. */
  readonly log: RunLog;
  readonly path: string;
  readonly #finalPath: string;
  readonly #log: EpisodeLog;
  /** Trajectories that a power cut could still take. */
  readonly #unsynced: string[] | undefined;
  #info: RunInfo;

  private constructor(init: WriterInit) {
    this.path = init.path;
    this.log = new RunLog(join(init.path, FILES.log));
    this.#finalPath = init.finalPath;
    this.#log = init.log;
    this.#info = init.info;
    this.#unsynced = init.unsynced;
  }

  static async create(
    parent: string,
    info: RunInfo,
    benchmarkText: string,
    appear: Appearance,
  ): Promise<RunWriter> {
    const finalPath = join(parent, info.run_id);
    const path = workPath(parent, info.run_id, appear);
    await makeFolder(join(path, FILES.trajectories));
    await writeJson(join(path, FILES.info), info);
    await writeAtomic(join(path, FILES.benchmark), benchmarkText);
    // A run that can be made again from its source at any time need not be synced file by file.
    const unsynced: string[] | undefined = appear === "live" ? [] : undefined;
    const log = await EpisodeLog.open(join(path, FILES.episodes), () =>
      syncAll(unsynced?.splice(0) ?? [], join(path, FILES.trajectories)),
    );
    const writer = new RunWriter({ path, finalPath, log, info, unsynced });
    const { agent, seed, versions } = info;
    writer.log.add({ level: "info", event: "run_started", agent, seed, versions });
    for (const message of info.warnings)
      writer.log.add({ level: "warning", event: "warning", message });
    return writer;
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
    this.log.add({
      level: "info",
      event: "run_finished",
      status: summary.status,
      ...summary.episodes,
    });
    await this.log.close();
    await writeJson(join(this.path, FILES.summary), summary);
    this.#info = { ...this.#info, status: summary.status, finished_at: finishedAt, warnings };
    await writeJson(join(this.path, FILES.info), this.#info);
    if (this.path !== this.#finalPath) await rename(this.path, this.#finalPath);
    return this.#finalPath;
  }

  /** Gives up: a `whole` run leaves nothing behind, a `live` one stays as it is, to be resumed. */
  async abandon(): Promise<void> {
    await this.#log.close().catch(() => {});
    await this.log.close();
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

/**
 * A run id that is free in `parent`: `<base>`, else `<base>-2`, ... It is taken from here on: its
 * folder is made, which of several runs that start in the same second only one can do.
 */
export async function freeRunId(
  parent: string,
  base: string,
  appear: Appearance = "live",
): Promise<string> {
  await makeFolder(parent);
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (await take(parent, id, appear)) return id;
  }
}

async function take(parent: string, id: string, appear: Appearance): Promise<boolean> {
  const path = workPath(parent, id, appear);
  try {
    await mkdir(path);
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false;
    throw cannotMake(path, cause);
  }
  if (appear === "live" || !existsSync(join(parent, id))) return true;
  await rmdir(path);
  return false;
}

function workPath(parent: string, id: string, appear: Appearance): string {
  return join(parent, appear === "live" ? id : `.${id}.partial`);
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (cause) {
    throw cannotMake(path, cause);
  }
}

function cannotMake(path: string, cause: unknown): DataError {
  return new DataError("cannot_write", `cannot make the run directory: ${errorMessage(cause)}`, {
    where: path,
    hint: "choose another folder with --out or output.log_dir",
    cause,
  });
}

async function readDocument<T extends object>(path: string, hint: string): Promise<T> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    throw new DataError("missing_file", `${basename(path)} is missing or cannot be read`, {
      where: dirname(path),
      hint,
      cause,
    });
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new DataError("damaged_file", `not valid JSON: ${errorMessage(cause)}`, {
      where: path,
      cause,
    });
  }
  if (typeof document === "object" && document !== null) return document as T;
  throw new DataError("damaged_file", `expected a JSON object, got ${show(document)}`, {
    where: path,
  });
}

import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../config/output-path.js";
import type { EpisodeLine, Resumption, RunInfo, RunSummary } from "../../core/interfaces/result.js";
import type { WorldGeometry } from "../../core/interfaces/simulator.js";
import { EpisodeLog } from "./episode-log.js";
import { syncFiles, syncFolder, writeAtomic, writeJson } from "./files.js";
import { GeometryFolder } from "./geometry.js";
import { RunDirectory } from "./run-directory.js";
import { FILES } from "./run-files.js";
import { type Appearance, workPath } from "./run-id.js";
import { labelsOf } from "./run-labels.js";
import { RunLock } from "./run-lock.js";
import { RunLog } from "./run-log.js";
import { SetAside } from "./set-aside.js";
import type { TrajectoryBuffer } from "./trajectory.js";

export class RunWriter {
  /** log.jsonl of the run. */
  readonly log: RunLog;
  readonly setAside: SetAside;
  readonly path: string;
  readonly #finalPath: string;
  readonly #lines: EpisodeLog;
  readonly #lock: RunLock | undefined;
  /** Files that lines refer to and that are not yet synced. */
  readonly #unsynced: Unsynced;
  #info: RunInfo;
  #filmFolder: Promise<void> | undefined;
  readonly #geometry: GeometryFolder;

  private constructor(init: WriterInit) {
    this.path = init.path;
    this.log = new RunLog(join(init.path, FILES.eventLog));
    this.setAside = new SetAside(init.path);
    this.#finalPath = init.finalPath;
    this.#lines = init.lines;
    this.#lock = init.lock;
    this.#info = init.info;
    this.#unsynced = init.unsynced;
    this.#geometry = new GeometryFolder(init.path, (file) => init.unsynced.add(file));
  }

  static async create(
    parent: string,
    info: RunInfo,
    benchmarkText: string,
    appear: Appearance,
  ): Promise<RunWriter> {
    const finalPath = join(parent, info.run_id);
    const path = workPath(parent, info.run_id, appear);
    makeFolder(join(path, FILES.trajectories));
    // A run that appears only when complete needs no lock and no sync per file.
    const lock = appear === "live" ? await RunLock.take(path) : undefined;
    const unsynced = new Unsynced(appear);
    let lines: EpisodeLog | undefined;
    try {
      await writeAtomic(join(path, FILES.benchmark), benchmarkText);
      lines = await EpisodeLog.open(join(path, FILES.episodes), () => unsynced.sync());
      // Written last: once run.json exists, the run can be resumed.
      await writeJson(join(path, FILES.info), info);
    } catch (error) {
      await lines?.close().catch(() => {});
      await lock?.release();
      throw error;
    }
    const writer = new RunWriter({ path, finalPath, lines, lock, info, unsynced });
    const { agent, seed, versions } = info;
    writer.log.add({ level: "info", event: "run_started", agent, seed, versions });
    for (const message of info.warnings)
      writer.log.add({ level: "warning", event: "warning", message });
    return writer;
  }

  /**
   * Reopens a run for resuming. An unfinished last line is removed.
   *
   * @param isRetried selects lines to set aside because their episodes are retried
   */
  static async reopen(
    { run, info, lock }: HeldRun,
    resumption: Resumption,
    warnings: readonly string[],
    isRetried?: (line: EpisodeLine) => boolean,
  ): Promise<RunWriter> {
    const { path } = run;
    makeFolder(join(path, FILES.trajectories));
    await removeTemporary(path);
    const now: RunInfo = {
      ...info,
      status: "running",
      finished_at: null,
      resumed: [...(info.resumed ?? []), resumption],
      warnings,
    };
    await writeJson(run.file("info"), now);
    // The old summary covers only the first part.
    await rm(run.file("summary"), { force: true });
    if (isRetried) await new SetAside(path).take(isRetried, "tried_again");
    const unsynced = new Unsynced("live");
    const lines = await EpisodeLog.open(run.file("episodes"), () => unsynced.sync());
    const writer = new RunWriter({ path, finalPath: path, lines, lock, info: now, unsynced });
    writer.log.add({ level: "info", event: "run_resumed", ...resumption });
    return writer;
  }

  /** Saves an episode's steps and returns the file name for its line. */
  async saveTrajectory(line: EpisodeLine, steps: TrajectoryBuffer): Promise<string> {
    const name = RunDirectory.trajectoryName(line);
    const path = join(this.path, name);
    await steps.write(path);
    this.#unsynced.add(path);
    return name;
  }

  /** Saves an episode's film and returns the file name for its line. */
  async saveFilm(
    line: EpisodeLine,
    { extension, bytes }: { readonly extension: string; readonly bytes: Uint8Array },
  ): Promise<string> {
    const name = RunDirectory.videoName(line, extension);
    const path = join(this.path, name);
    this.#filmFolder ??= this.#makeFilmFolder();
    await this.#filmFolder;
    await writeAtomic(path, bytes, "later");
    this.#unsynced.add(path);
    return name;
  }

  /** Saves an episode's geometry and returns its name; equal geometry is stored once. */
  saveGeometry(geometry: WorldGeometry): Promise<string> {
    return this.#geometry.save(geometry);
  }

  /** Created on demand, since few runs have films, and synced before the first film. */
  async #makeFilmFolder(): Promise<void> {
    makeFolder(join(this.path, FILES.videos));
    await syncFolder(this.path);
  }

  append(line: EpisodeLine): Promise<void> {
    return this.#lines.append(line);
  }

  /**
   * Writes summary.json, sets the final status in run.json and returns the run's final path.
   *
   * @param isBeyond selects lines after the stopping point of an early stop
   */
  async finish(
    summary: RunSummary,
    finishedAt: string,
    warnings: readonly string[],
    isBeyond?: (line: EpisodeLine) => boolean,
  ): Promise<string> {
    await this.#lines.close();
    if (isBeyond) await this.setAside.take(isBeyond, "after_early_stop");
    this.log.add({
      level: "info",
      event: "run_finished",
      status: summary.status,
      ...summary.episodes,
    });
    await this.log.close();
    await writeJson(join(this.path, FILES.summary), summary);
    const { status } = summary;
    this.#info = { ...this.#info, ...labelsOf(summary), status, finished_at: finishedAt, warnings };
    await writeJson(join(this.path, FILES.info), this.#info);
    if (this.path !== this.#finalPath) await rename(this.path, this.#finalPath);
    await this.#lock?.release();
    return this.#finalPath;
  }

  /** Aborts: a `whole` run is removed; a `live` one is kept to be resumed. */
  async abandon(): Promise<void> {
    await this.#lines.close().catch(() => {});
    await this.log.close();
    if (this.path !== this.#finalPath) await rm(this.path, { recursive: true, force: true });
    await this.#lock?.release();
  }
}

/** A run that this process has locked. */
export interface HeldRun {
  readonly run: RunDirectory;
  readonly info: RunInfo;
  readonly lock: RunLock;
}

interface WriterInit {
  readonly path: string;
  readonly finalPath: string;
  readonly lines: EpisodeLog;
  readonly lock: RunLock | undefined;
  readonly info: RunInfo;
  readonly unsynced: Unsynced;
}

/** Files that must be synced before the lines that name them. */
class Unsynced {
  readonly #counts: boolean;
  #files: string[] = [];

  constructor(appear: Appearance) {
    this.#counts = appear === "live";
  }

  add(file: string): void {
    if (this.#counts) this.#files.push(file);
  }

  async sync(): Promise<void> {
    const files = this.#files;
    if (files.length === 0) return;
    this.#files = [];
    await syncFiles(files);
  }
}

/** Removes temporary files of a killed process. */
async function removeTemporary(path: string): Promise<void> {
  for (const folder of ["", FILES.trajectories, FILES.videos, FILES.geometry].map((name) =>
    join(path, name),
  )) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names) if (name.endsWith(".tmp")) await rm(join(folder, name));
  }
}

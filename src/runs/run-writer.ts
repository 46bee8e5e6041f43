import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { EpisodeLine, Resumption, RunInfo, RunSummary } from "../core/interfaces/result.js";
import type { WorldGeometry } from "../core/interfaces/simulator.js";
import { EpisodeLog } from "./episode-log.js";
import { syncFiles, syncFolder, writeAtomic, writeJson } from "./files.js";
import { GeometryFolder } from "./geometry.js";
import { RunDirectory } from "./run-directory.js";
import { FILES } from "./run-files.js";
import { type Appearance, makeFolder, workPath } from "./run-id.js";
import { RunLock } from "./run-lock.js";
import { RunLog } from "./run-log.js";
import { SetAside } from "./set-aside.js";
import type { TrajectoryBuffer } from "./trajectory.js";

/** A run being written. */
export class RunWriter {
  /** What happens along the way. */
  readonly log: RunLog;
  readonly setAside: SetAside;
  readonly path: string;
  readonly #finalPath: string;
  readonly #log: EpisodeLog;
  readonly #lock: RunLock | undefined;
  /** Files that lines refer to and that a power cut could still take. */
  readonly #unsynced: Unsynced;
  #info: RunInfo;
  #filmFolder: Promise<void> | undefined;
  readonly #geometry: GeometryFolder;

  private constructor(init: WriterInit) {
    this.path = init.path;
    this.log = new RunLog(join(init.path, FILES.log));
    this.setAside = new SetAside(init.path);
    this.#finalPath = init.finalPath;
    this.#log = init.log;
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
    await makeFolder(join(path, FILES.trajectories));
    // A run that nobody sees before it is complete needs no lock, and need not be synced file by file.
    const lock = appear === "live" ? await RunLock.take(path) : undefined;
    const unsynced = new Unsynced(appear);
    let log: EpisodeLog | undefined;
    try {
      await writeAtomic(join(path, FILES.benchmark), benchmarkText);
      log = await EpisodeLog.open(join(path, FILES.episodes), () => unsynced.sync());
      // The last: where it stands, all that a run needs to be resumed is there.
      await writeJson(join(path, FILES.info), info);
    } catch (error) {
      await log?.close().catch(() => {});
      await lock?.release();
      throw error;
    }
    const writer = new RunWriter({ path, finalPath, log, lock, info, unsynced });
    const { agent, seed, versions } = info;
    writer.log.add({ level: "info", event: "run_started", agent, seed, versions });
    for (const message of info.warnings)
      writer.log.add({ level: "warning", event: "warning", message });
    return writer;
  }

  /**
   * Takes a run up again that was begun before. A half-written last line is cut off.
   *
   * @param isRetried which lines are set aside, since their episodes are tried again
   */
  static async reopen(
    { run, info, lock }: HeldRun,
    resumption: Resumption,
    warnings: readonly string[],
    isRetried?: (line: EpisodeLine) => boolean,
  ): Promise<RunWriter> {
    const { path } = run;
    await makeFolder(join(path, FILES.trajectories));
    await removeTemporary(path);
    const now: RunInfo = {
      ...info,
      status: "running",
      finished_at: null,
      resumed: [...(info.resumed ?? []), resumption],
      warnings,
    };
    await writeJson(run.file("info"), now);
    // What was summed up of the first part is not the result of the whole.
    await rm(run.file("summary"), { force: true });
    if (isRetried) await new SetAside(path).take(isRetried, "tried_again");
    const unsynced = new Unsynced("live");
    const log = await EpisodeLog.open(run.file("episodes"), () => unsynced.sync());
    const writer = new RunWriter({ path, finalPath: path, log, lock, info: now, unsynced });
    writer.log.add({ level: "info", event: "run_resumed", ...resumption });
    return writer;
  }

  /** Saves an episode's steps; gives the name that its line refers to them by. */
  async saveTrajectory(line: EpisodeLine, steps: TrajectoryBuffer): Promise<string> {
    const name = RunDirectory.trajectoryName(line);
    const path = join(this.path, name);
    await steps.write(path);
    this.#unsynced.add(path);
    return name;
  }

  /** Saves an episode's film, likewise. */
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

  /** Saves what an episode's world looked like, likewise; the same is written once. */
  saveGeometry(geometry: WorldGeometry): Promise<string> {
    return this.#geometry.save(geometry);
  }

  /** Few runs have one. It is on the disk before the first film is. */
  async #makeFilmFolder(): Promise<void> {
    await makeFolder(join(this.path, FILES.videos));
    await syncFolder(this.path);
  }

  append(line: EpisodeLine): Promise<void> {
    return this.#log.append(line);
  }

  /**
   * Writes summary.json, closes the run with the summary's status and returns its final place.
   *
   * @param isBeyond which lines came after the point where the run could have stopped
   */
  async finish(
    summary: RunSummary,
    finishedAt: string,
    warnings: readonly string[],
    isBeyond?: (line: EpisodeLine) => boolean,
  ): Promise<string> {
    await this.#log.close();
    if (isBeyond) await this.setAside.take(isBeyond, "after_early_stop");
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
    await this.#lock?.release();
    return this.#finalPath;
  }

  /** Gives up: a `whole` run leaves nothing behind, a `live` one stays as it is, to be resumed. */
  async abandon(): Promise<void> {
    await this.#log.close().catch(() => {});
    await this.log.close();
    if (this.path !== this.#finalPath) await rm(this.path, { recursive: true, force: true });
    await this.#lock?.release();
  }
}

/** A run that this process alone may write to. */
export interface HeldRun {
  readonly run: RunDirectory;
  readonly info: RunInfo;
  readonly lock: RunLock;
}

interface WriterInit {
  readonly path: string;
  readonly finalPath: string;
  readonly log: EpisodeLog;
  readonly lock: RunLock | undefined;
  readonly info: RunInfo;
  readonly unsynced: Unsynced;
}

/** Files that are to be on the disk before the lines that name them. */
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

/** What a process that was killed was about to rename. */
async function removeTemporary(path: string): Promise<void> {
  for (const folder of ["", FILES.trajectories, FILES.videos, FILES.geometry].map((name) =>
    join(path, name),
  )) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names) if (name.endsWith(".tmp")) await rm(join(folder, name));
  }
}

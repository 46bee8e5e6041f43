import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DataError, errorMessage } from "../core/errors.js";
import type { EpisodeLine, RunInfo, RunSummary } from "../core/interfaces/result.js";
import { checkInfo, checkSummary } from "./document-checks.js";
import { readEpisodeLog } from "./episode-log.js";
import { safeFileName } from "./file-names.js";
import { FILES } from "./run-files.js";

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
    await run.info();
    return run;
  }

  file(name: keyof typeof FILES): string {
    return join(this.path, FILES[name]);
  }

  async info(): Promise<RunInfo> {
    const path = this.file("info");
    return checkInfo(await readDocument(path, "is this a run directory?"), path);
  }

  async summary(): Promise<RunSummary> {
    const path = this.file("summary");
    const hint =
      "it is written when a run ends; one that was broken off goes on with `robot-eval resume`";
    return checkSummary(await readDocument(path, hint), path);
  }

  episodes(): AsyncGenerator<EpisodeLine> {
    return readEpisodeLog(this.file("episodes"));
  }

  /** Absolute path of an episode's trajectory, or null when none was saved. */
  trajectoryOf(line: EpisodeLine): string | null {
    return line.trajectory === null ? null : join(this.path, line.trajectory);
  }

  /** Absolute path of an episode's film, or null when there is none. */
  videoOf(line: EpisodeLine): string | null {
    return line.video === undefined ? null : join(this.path, line.video);
  }

  /** Where an episode's trajectory belongs, relative to the run directory. */
  static trajectoryName({ episode_key, repeat }: LineRef): string {
    return `${FILES.trajectories}/${fileStem(episode_key, repeat)}.jsonl.gz`;
  }

  static videoName({ episode_key, repeat }: LineRef, extension: string): string {
    return `${FILES.videos}/${fileStem(episode_key, repeat)}.${extension}`;
  }
}

/** What names a line's files. */
type LineRef = Pick<EpisodeLine, "episode_key" | "repeat">;

/** A safe name has a plus sign only before sixteen hex digits, so no key can have a repeat's name. */
export function fileStem(episodeKey: string, repeat: number): string {
  return `${safeFileName(episodeKey)}${repeat === 0 ? "" : `+r${repeat}`}`;
}

async function readDocument(path: string, hint: string): Promise<unknown> {
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
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DataError("damaged_file", `not valid JSON: ${errorMessage(cause)}`, {
      where: path,
      cause,
    });
  }
}

import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DataError } from "../../core/errors.js";
import type { EpisodeLine, RunInfo, RunSummary } from "../../core/interfaces/result.js";
import { entryTooLarge, MAX_JSON_TEXT } from "../../dataset/readers/json-limits.js";
import { checkInfo, checkSummary } from "./document-checks.js";
import { readEpisodeLog } from "./episode-log.js";
import { safeFileName } from "./file-names.js";
import { parseDocument } from "./json-lines.js";
import { checkRunFolder, readPlain } from "./plain-files.js";
import { FILES } from "./run-files.js";

/**
 * Reads a run directory.
 *
 * @example
 * const run = await RunDirectory.open("runs/20260101T120000Z-vln");
 * for await (const line of run.episodes()) console.log(line.episode_key, line.outcome);
 */
export class RunDirectory {
  constructor(readonly path: string) {}

  /** Opens a run. @throws DataError if it is missing or has an unknown format */
  static async open(path: string): Promise<RunDirectory> {
    const folder = await stat(path).catch(() => undefined);
    if (!folder?.isDirectory()) {
      throw new DataError("no_run", "no such run directory", { where: path });
    }
    const run = new RunDirectory(path);
    await checkRunFolder(path);
    await rejectParent(path);
    await run.info();
    return run;
  }

  file(name: keyof typeof FILES): string {
    return join(this.path, FILES[name]);
  }

  async info(): Promise<RunInfo> {
    const path = this.file("info");
    return checkInfo(await readDocument(path, "check that this is a run directory"), path);
  }

  async summary(): Promise<RunSummary> {
    const path = this.file("summary");
    const hint =
      "it is written at the end of a run; continue an interrupted one with `robot-eval resume`";
    return checkSummary(await readDocument(path, hint), path);
  }

  async *episodes(): AsyncGenerator<EpisodeLine> {
    yield* readEpisodeLog(this.file("episodes"));
  }

  /** Absolute path of an episode's trajectory; null if none was saved. */
  trajectoryOf(line: EpisodeLine): string | null {
    return line.trajectory === null ? null : join(this.path, line.trajectory);
  }

  /** Absolute path of an episode's film; null if there is none. */
  videoOf(line: EpisodeLine): string | null {
    return line.video === undefined ? null : join(this.path, line.video);
  }

  /** Path of an episode's trajectory relative to the run directory. */
  static trajectoryName({ episode_key, repeat }: LineRef): string {
    return `${FILES.trajectories}/${fileStem(episode_key, repeat)}.jsonl.gz`;
  }

  static videoName({ episode_key, repeat }: LineRef, extension: string): string {
    return `${FILES.videos}/${fileStem(episode_key, repeat)}.${extension}`;
  }
}

/** The fields that determine file names. */
type LineRef = Pick<EpisodeLine, "episode_key" | "repeat">;

/** In a safe name only hex digits follow a plus sign, so no key can clash with the name of a repeat. */
export function fileStem(episodeKey: string, repeat: number): string {
  return `${safeFileName(episodeKey)}${repeat === 0 ? "" : `+r${repeat}`}`;
}

/** Rejects the folder that holds the run directories: `--out` of `run` and `merge` names it, so it is easily taken for the run. */
async function rejectParent(path: string): Promise<void> {
  if (existsSync(join(path, FILES.info))) return;
  const names = await readdir(path);
  const runs = names.filter((name) => existsSync(join(path, name, FILES.info)));
  const [first] = runs;
  if (first === undefined) return;
  throw new DataError("no_run", "this folder contains run directories but is not one itself", {
    where: path,
    hint:
      runs.length === 1
        ? `give the run: ${join(path, first)}`
        : `give one of its ${runs.length} runs, such as ${join(path, first)}`,
  });
}

async function readDocument(path: string, hint: string): Promise<unknown> {
  let text: string;
  try {
    const { size } = await stat(path);
    if (size > MAX_JSON_TEXT) throw entryTooLarge(path, size, MAX_JSON_TEXT);
    text = (await readPlain(path)).toString("utf8");
  } catch (cause) {
    if (cause instanceof DataError) throw cause;
    throw new DataError("missing_file", `${basename(path)} is missing or cannot be read`, {
      where: dirname(path),
      hint,
      cause,
    });
  }
  return parseDocument(text, "damaged_file", path);
}

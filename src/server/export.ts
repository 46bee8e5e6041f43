import { readdir, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { ConfigError, DataError } from "../core/errors.js";
import type { EpisodeLine } from "../core/interfaces/result.js";
import { ExportWriter } from "./export-writer.js";
import { PageFiles } from "./page-files.js";
import type { EpisodeDocument, RunCard } from "./view/documents.js";
import { episodeIdOf } from "./view/episode-id.js";
import { RunLibrary } from "./view/library.js";

export interface ExportOptions {
  /** A folder of runs, or one run. */
  readonly runs: string;
  /** Where the pages go: empty, or not there yet. */
  readonly folder: string;
  readonly webRoot: string;
  /** Which episodes can be looked at; all of them stand in the tables. */
  readonly episodes: "all" | "failures";
  /** Camera pictures of each sensor in an episode, at most; 24 if absent, 0 for none. */
  readonly frames?: number | undefined;
  /** Episodes that are made at once; as many as there are cores if absent. */
  readonly threads?: number | undefined;
  /** Whether code that runs name may be loaded; it is not unless told. */
  readonly plugins?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}

export interface ExportProgress {
  readonly done: number;
  readonly of: number;
}

/** What an export wrote. Keys are those of the document that `--json` prints. */
export interface Exported {
  readonly folder: string;
  readonly runs: readonly string[];
  /** With a page of their own. */
  readonly episodes: number;
  readonly files: number;
  readonly compared: number;
  readonly skipped: readonly { readonly what: string; readonly why: string }[];
}

/** Each pair is a file, and each is compared both ways round. */
const MOST_COMPARED = 6;
/** Episodes with a page: each is about a dozen files' worth of work, and up to some megabytes. */
const MOST_EPISODES = 5000;
/** Of a page that nobody scrubs through all day; a server gives 60. */
const FRAMES = 24;
/** Each holds a simulator, and some hundred megabytes. */
const MOST_THREADS = 8;

/** Writes the dashboard as files: the same documents that the server gives, at the same addresses. */
export async function exportView(options: ExportOptions): Promise<Exported> {
  const { webRoot, onProgress, signal } = options;
  const folder = resolve(options.folder);
  const pages = new PageFiles(webRoot);
  const names = await pages.names();
  await checkEmpty(folder);
  const threads = options.threads ?? Math.min(MOST_THREADS, availableParallelism());
  const { plugins, frames = FRAMES } = options;
  const library = await RunLibrary.open(options.runs, { plugins, frames, threads });
  try {
    const { runs } = await library.runs(false);
    if (runs.length === 0) {
      throw new DataError("no_run", "there is no run that could be shown", { where: options.runs });
    }
    const chosen = await chooseEpisodes(library, runs, options.episodes);
    const writer = new ExportWriter(folder, library);
    for (const name of names) await writer.copy(join(webRoot, name), name);
    await writer.write("runs.json");
    for (const { id } of runs) await writeRun(writer, library, id);
    let done = 0;
    await atOnce(threads, chosen, async ({ run, line }) => {
      if (signal?.aborted) return;
      await writeEpisode(writer, run, line);
      done++;
      onProgress?.({ done, of: chosen.length });
    });
    const compared = signal?.aborted ? 0 : await writeComparisons(writer, runs);
    return {
      ...{ folder, runs: runs.map(({ id }) => id), episodes: done },
      ...{ files: writer.files, compared, skipped: writer.skipped },
    };
  } finally {
    await library.close();
  }
}

/** Each that is done makes room for the next. */
async function atOnce<T>(
  most: number,
  given: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = given.values();
  const hand = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: most }, hand));
}

interface Chosen {
  readonly run: string;
  readonly line: EpisodeLine;
}

async function chooseEpisodes(
  library: RunLibrary,
  runs: readonly RunCard[],
  which: ExportOptions["episodes"],
): Promise<Chosen[]> {
  const chosen: Chosen[] = [];
  let all = 0;
  for (const { id } of runs) {
    for await (const line of library.lines(id)) {
      if (which === "failures" && line.outcome === "success") continue;
      all++;
      if (all <= MOST_EPISODES) chosen.push({ run: id, line });
    }
  }
  if (all <= MOST_EPISODES) return chosen;
  throw new ConfigError(
    "too_many_episodes",
    `${all} episodes would get a page, and an export has room for ${MOST_EPISODES}`,
    {
      where: "--export",
      hint:
        which === "all"
          ? "write only those that failed (--episodes failures), or name one run in place of the folder"
          : "name one run in place of the folder, or look at them with `robot-eval view`",
    },
  );
}

/** Files of an earlier export would be shown beside those of this one. */
async function checkEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0 && !(await stat(folder).catch(() => undefined))?.isFile()) return;
  throw new ConfigError("folder_in_use", "the folder is not empty", {
    where: folder,
    hint: "name another for --export, or empty it first",
  });
}

async function writeRun(writer: ExportWriter, library: RunLibrary, id: string): Promise<void> {
  const { pages } = await library.page(id, 0);
  await writer.write("runs", id, "run.json");
  await writer.write("runs", id, "scenes.json");
  for (let n = 0; n < pages; n++) await writer.write("runs", id, `episodes-${n}.json`);
}

async function writeEpisode(writer: ExportWriter, run: string, line: EpisodeLine): Promise<void> {
  const id = episodeIdOf(line.episode_key, line.repeat);
  const file = (ending: string) => writer.tryWrite("runs", run, "episodes", `${id}${ending}`);
  const written = await file(".json");
  if (written === undefined) return;
  const document: Pick<EpisodeDocument, "scene" | "has_map" | "has_track" | "has_frames"> =
    JSON.parse(written);
  if (line.trajectory !== null) await file(".thumb.svg");
  if (document.scene !== null) await writer.once("scenes", `${document.scene}.glb`);
  if (document.has_map) await file(".svg");
  if (document.has_track) await file(".track.json");
  if (document.has_frames) await file(".frames.json");
  if (line.video !== undefined)
    await writer.tryWrite("runs", run, "files", ...line.video.split("/"));
}

async function writeComparisons(writer: ExportWriter, runs: readonly RunCard[]): Promise<number> {
  let compared = 0;
  if (runs.length > MOST_COMPARED) {
    writer.skip("comparisons", `only up to ${MOST_COMPARED} runs are compared with each other`);
    return compared;
  }
  for (const a of runs) {
    for (const b of runs) {
      if (a.id === b.id) continue;
      if ((await writer.tryWrite("compare", `${a.id}..${b.id}.json`)) !== undefined) compared++;
    }
  }
  return compared;
}

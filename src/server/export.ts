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
import type { ViewOptions } from "./view/view-permissions.js";

export interface ExportOptions extends ViewOptions {
  /** A folder of runs, or one run. */
  readonly runs: string;
  /** Output folder; must be empty or not exist. */
  readonly folder: string;
  readonly webRoot: string;
  /** Episodes that get a page; the tables list all of them. */
  readonly episodes: "all" | "failures";
  /** Maximum camera images per sensor and episode; 0 for none. Default 24. */
  readonly frames?: number | undefined;
  /** Episodes processed at the same time. Default: the number of cores. */
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}

export interface ExportProgress {
  readonly done: number;
  readonly of: number;
}

/** Counts of an export, as `--json` prints them. */
export interface Exported {
  readonly folder: string;
  readonly runs: readonly string[];
  /** Episodes with a page. */
  readonly episodes: number;
  readonly files: number;
  readonly compared: number;
  readonly skipped: readonly { readonly what: string; readonly why: string }[];
}

/** Runs that are compared pairwise; each ordered pair is a file. */
const MOST_COMPARED = 6;
/** Maximum number of episode pages; each is about a dozen files and up to a few megabytes. */
const MOST_EPISODES = 5000;
/** Camera images per sensor; fewer than the server's 60 to keep exports small. */
const FRAMES = 24;
/** Each thread holds a simulator and a few hundred megabytes. */
const MOST_THREADS = 8;

/** Writes the dashboard as static files: the server's documents at the same addresses. */
export async function exportView(options: ExportOptions): Promise<Exported> {
  const { webRoot, onProgress, signal } = options;
  const folder = resolve(options.folder);
  const pages = new PageFiles(webRoot);
  const names = await pages.names();
  await checkEmpty(folder);
  const threads = options.threads ?? Math.min(MOST_THREADS, availableParallelism());
  const { plugins, scenes, connectivity, frames = FRAMES } = options;
  const library = await RunLibrary.open(options.runs, {
    ...{ plugins, scenes, connectivity, frames, threads },
  });
  try {
    const { runs, stress } = await library.runs(false);
    if (runs.length === 0) {
      throw new DataError("no_run", "the folder has no readable run", { where: options.runs });
    }
    const chosen = await chooseEpisodes(library, runs, options.episodes);
    const writer = new ExportWriter(folder, library);
    for (const name of names) await writer.copy(join(webRoot, name), name);
    await writer.write("runs.json");
    if (stress) await writer.write("stress.json");
    for (const { id } of runs) await writeRun(writer, library, id);
    let done = 0;
    const left = chosen.values();
    const work = async () => {
      for (const { run, line } of left) {
        if (signal?.aborted) return;
        await writeEpisode(writer, run, line);
        done++;
        onProgress?.({ done, of: chosen.length });
      }
    };
    await Promise.all(Array.from({ length: threads }, work));
    const compared = signal?.aborted
      ? 0
      : await writeComparisons(writer, await comparedPairs(library, runs, stress));
    return {
      ...{ folder, runs: runs.map(({ id }) => id), episodes: done },
      ...{ files: writer.files, compared, skipped: writer.skipped },
    };
  } finally {
    await library.close();
  }
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
    `${all} episodes would get a page; an export may have at most ${MOST_EPISODES}`,
    {
      where: "--export",
      hint:
        which === "all"
          ? "export only failed episodes (--episodes failures), or a single run instead of the folder"
          : "export a single run instead of the folder, or use `robot-eval view`",
    },
  );
}

/** Rejects a folder with files, because those of an earlier export would be mixed in. */
async function checkEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0 && !(await stat(folder).catch(() => undefined))?.isFile()) return;
  throw new ConfigError("folder_in_use", "the folder is not empty", {
    where: folder,
    hint: "choose another folder for --export, or empty this one first",
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

type RunPair = readonly [a: string, b: string];

/** Each run with each other; in a stress test, the baseline with each level. Undefined if they are too many. */
async function comparedPairs(
  library: RunLibrary,
  runs: readonly RunCard[],
  stress: boolean,
): Promise<readonly RunPair[] | undefined> {
  if (stress) {
    const { baseline, axes } = (await library.stress()).report;
    return axes.flatMap(({ levels }) => levels.map(({ run }): RunPair => [baseline.run, run]));
  }
  if (runs.length > MOST_COMPARED) return undefined;
  return runs.flatMap(({ id: a }) =>
    runs.filter(({ id }) => id !== a).map(({ id: b }): RunPair => [a, b]),
  );
}

async function writeComparisons(
  writer: ExportWriter,
  pairs: readonly RunPair[] | undefined,
): Promise<number> {
  let compared = 0;
  if (!pairs) {
    writer.skip("comparisons", `only up to ${MOST_COMPARED} runs are compared with each other`);
    return compared;
  }
  for (const [a, b] of pairs) {
    if ((await writer.tryWrite("compare", `${a}..${b}.json`)) !== undefined) compared++;
  }
  return compared;
}

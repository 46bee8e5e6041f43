import { copyFile, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ConfigError, DataError, errorMessage, RobotEvalError } from "../core/errors.js";
import type { EpisodeLine } from "../core/interfaces/result.js";
import { cannotWrite } from "../runs/files.js";
import { PageFiles } from "./page-files.js";
import { contentAt } from "./view/addresses.js";
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
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((text: string) => void) | undefined;
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
const PROGRESS_EVERY = 10;

/** Writes the dashboard as files: the same documents that the server gives, at the same addresses. */
export async function exportView(options: ExportOptions): Promise<Exported> {
  const { webRoot, onProgress, signal } = options;
  const folder = resolve(options.folder);
  const pages = new PageFiles(webRoot);
  const names = await pages.names();
  await checkEmpty(folder);
  const library = await RunLibrary.open(options.runs);
  try {
    const { runs } = await library.runs(false);
    if (runs.length === 0) {
      throw new DataError("no_run", "there is no run that could be shown", { where: options.runs });
    }
    const chosen = await chooseEpisodes(library, runs, options.episodes);
    const writer = new Writer(folder, library);
    for (const name of names) await writer.copy(join(webRoot, name), name);
    await writer.write("runs.json");
    for (const { id } of runs) await writeRun(writer, library, id);
    for (const [i, { run, line }] of chosen.entries()) {
      if (signal?.aborted) break;
      if (i % PROGRESS_EVERY === 0) onProgress?.(`episode ${i + 1} of ${chosen.length}`);
      await writeEpisode(writer, run, line);
    }
    const compared = signal?.aborted ? 0 : await writeComparisons(writer, runs);
    return {
      ...{ folder, runs: runs.map(({ id }) => id), episodes: chosen.length },
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

async function writeRun(writer: Writer, library: RunLibrary, id: string): Promise<void> {
  const { pages } = await library.run(id);
  await writer.write("runs", id, "run.json");
  for (let n = 0; n < pages; n++) await writer.write("runs", id, `episodes-${n}.json`);
}

async function writeEpisode(writer: Writer, run: string, line: EpisodeLine): Promise<void> {
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

async function writeComparisons(writer: Writer, runs: readonly RunCard[]): Promise<number> {
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

/** Writes what stands at addresses below `api` to files of the same names. */
class Writer {
  readonly #folder: string;
  readonly #library: RunLibrary;
  readonly #written = new Set<string>();
  readonly skipped: { what: string; why: string }[] = [];
  files = 0;

  constructor(folder: string, library: RunLibrary) {
    this.#folder = folder;
    this.#library = library;
  }

  skip(what: string, why: string): void {
    this.skipped.push({ what, why });
  }

  async copy(from: string, name: string): Promise<void> {
    const to = join(this.#folder, name);
    await this.#put(to, () => copyFile(from, to));
  }

  /** Gives what was written, of texts. */
  async write(...parts: readonly string[]): Promise<string> {
    const content = await contentAt(this.#library, parts, false);
    const to = join(this.#folder, "api", ...parts);
    await this.#put(to, () =>
      "file" in content ? copyFile(content.file, to) : writeFile(to, content.body),
    );
    return "body" in content && typeof content.body === "string" ? content.body : "";
  }

  /** A damaged file, or a scene that is gone, costs its picture and not the export. */
  async tryWrite(...parts: readonly string[]): Promise<string | undefined> {
    try {
      return await this.write(...parts);
    } catch (error) {
      if (!(error instanceof RobotEvalError) || error.code === "cannot_write") throw error;
      this.skip(parts.join("/"), errorMessage(error));
      return undefined;
    }
  }

  async once(...parts: readonly string[]): Promise<void> {
    const name = parts.join("/");
    if (this.#written.has(name)) return;
    this.#written.add(name);
    await this.tryWrite(...parts);
  }

  async #put(path: string, put: () => Promise<void>): Promise<void> {
    try {
      await mkdir(dirname(path), { recursive: true });
      await put();
    } catch (cause) {
      throw cannotWrite(path, cause);
    }
    this.files++;
  }
}

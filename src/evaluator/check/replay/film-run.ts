import { join } from "node:path";
import { makeFolder } from "../../../config/output-path.js";
import { DataError } from "../../../core/errors.js";
import type { EpisodeLine } from "../../../core/interfaces/result.js";
import { writeAtomic } from "../../../runs/directory/files.js";
import { lineName } from "../../../runs/directory/line-name.js";
import { fileStem, RunDirectory } from "../../../runs/directory/run-directory.js";
import { readTrajectory } from "../../../runs/directory/trajectory.js";
import { lineNameOf } from "../../plan/jobs.js";
import type { RunPlan } from "../../plan/prepare.js";
import { camerasOf } from "../../record/video/cameras.js";
import type { Encoders } from "../../record/video/choose-encoder.js";
import { Filmmaker } from "../../record/video/filmmaker.js";
import { chooseEpisode } from "./choose-episode.js";
import type { Skipped } from "./documents.js";
import { checkWasRun, nothingToReplay, readRecordedRun } from "./recorded-run.js";
import { type ReplayPermissions, replayPlan } from "./replay-plan.js";

export interface FilmOptions extends ReplayPermissions {
  /** Only this episode: its key or a unique id, optionally with `#<repeat>`. */
  readonly episode?: string | undefined;
  readonly repeat?: number | undefined;
  /** Only failures. */
  readonly failures?: boolean | undefined;
  /** Most films. */
  readonly limit?: number | undefined;
  /** Names of colour cameras, and `map`. Default: the benchmark's cameras, and the map. */
  readonly cameras?: readonly string[] | undefined;
  /** Folder of the films. Default: `films` in the run directory. */
  readonly out?: string | undefined;
  /** Default: MP4 if ffmpeg is installed, else WebP. */
  readonly encoders?: Encoders | undefined;
  /** When aborted, the film in progress is finished. */
  readonly signal?: AbortSignal | undefined;
  readonly onFilm?: ((film: WrittenFilm) => void) | undefined;
}

interface WrittenFilm {
  readonly episode_key: string;
  readonly repeat: number;
  readonly outcome: EpisodeLine["outcome"];
  readonly file: string;
}

export interface FilmReport {
  readonly format: "robot-eval-films/1";
  readonly run_id: string;
  readonly films: readonly WrittenFilm[];
  readonly skipped: readonly Skipped[];
  readonly notes: readonly string[];
  readonly interrupted?: true;
}

/**
 * Makes films of recorded episodes: their actions are replayed in a simulator with cameras. Needs the scenes, but
 * neither the policy nor the dataset.
 */
export async function filmRun(path: string, options: FilmOptions = {}): Promise<FilmReport> {
  const { episode, repeat, failures, signal, cameras, registries } = options;
  const run = await RunDirectory.open(path);
  const info = await run.info();
  checkWasRun(run, info, "film");
  const isNamed = episode === undefined ? () => true : await chooseEpisode(run, episode, repeat);
  const lines = new Map<string, EpisodeLine>();
  const isWanted = (line: EpisodeLine) => {
    if (!isNamed(line) || (failures && line.outcome !== "failure")) return false;
    lines.set(lineName(line.episode_key, line.repeat), line);
    return true;
  };
  const recorded = await readRecordedRun(run, isWanted, signal);
  if (recorded.total === 0 && failures) throw noFailures(run);
  const skipped = [
    ...recorded.skipped,
    ...recorded.damaged.map(({ episode_key, repeat: n, why = "its trajectory is damaged" }) => {
      return { episode_key, repeat: n, why };
    }),
  ];
  if (recorded.episodes.length === 0) throw nothingToReplay(run, { ...recorded, skipped });
  const { benchmark, simulator, plugins, scenes, connectivity } = options;
  const permissions = { registries, benchmark, simulator, plugins, scenes, connectivity };
  const plan = await replayPlan(run, info, recorded, permissions, { keepsSensors: true });
  const makers = filmmakers(plan, cameras, options.encoders);
  const films: WrittenFilm[] = [];
  const notes = new Set<string>();
  for (const { job, file } of recorded.episodes) {
    if (signal?.aborted || films.length >= (options.limit ?? Number.POSITIVE_INFINITY)) break;
    const line = lines.get(lineNameOf(job));
    if (!line) continue;
    const maker = makers.get(job.task);
    if (!maker) {
      const why = `${job.task} has none of the cameras ${cameras?.join(", ")}`;
      skipped.push({ episode_key: line.episode_key, repeat: line.repeat, why });
      continue;
    }
    const { records } = await readTrajectory(file);
    const made = await maker.film({ episode: job.episode, line, records });
    const { episode_key, outcome } = line;
    if ("problem" in made) {
      skipped.push({ episode_key, repeat: line.repeat, why: made.problem });
      continue;
    }
    if (made.note !== undefined) notes.add(made.note);
    const folder = options.out ?? run.file("films");
    makeFolder(folder);
    const to = join(folder, `${fileStem(episode_key, line.repeat)}_${outcome}.${made.extension}`);
    await writeAtomic(to, made.bytes);
    const written = { episode_key, repeat: line.repeat, outcome, file: to };
    films.push(written);
    options.onFilm?.(written);
  }
  if (films.length === 0 && !signal?.aborted) throw noFilm(run, skipped);
  return {
    format: "robot-eval-films/1",
    run_id: info.run_id,
    films,
    skipped,
    notes: [...notes],
    ...(signal?.aborted ? { interrupted: true } : {}),
  };
}

/** One for each task that has any of the cameras. */
function filmmakers(
  { tasks }: RunPlan,
  cameras: readonly string[] | undefined,
  encoders: Encoders | undefined,
): ReadonlyMap<string, Filmmaker> {
  const own = cameras && camerasOf(tasks, cameras);
  return new Map(
    tasks.flatMap((task, i): [string, Filmmaker][] => {
      const shown = own?.[i];
      if (shown?.length === 0) return [];
      return [[task.task.name, new Filmmaker(task, encoders, shown)]];
    }),
  );
}

function noFailures(run: RunDirectory): DataError {
  return new DataError("no_episodes", "no episode of the run failed: there is nothing to film", {
    where: run.path,
    hint: "leave out --failures to film every episode",
  });
}

function noFilm(run: RunDirectory, skipped: readonly Skipped[]): DataError {
  const [first] = skipped;
  const why = first ? `${lineName(first.episode_key, first.repeat)}: ${first.why}` : "no episode";
  return new DataError("no_film", `no film could be made (${why})`, { where: run.path });
}

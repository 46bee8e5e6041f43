import { type BaseEpisode, episodeKey } from "../../../core/episode/base.js";
import { ConfigError, DataError } from "../../../core/errors.js";
import type { EpisodeLine, RunInfo } from "../../../core/interfaces/result.js";
import { lineName } from "../../../runs/directory/line-name.js";
import { mapOrdered } from "../../../runs/directory/ordered.js";
import type { RunDirectory } from "../../../runs/directory/run-directory.js";
import { readTrajectory, type Trajectory } from "../../../runs/directory/trajectory.js";
import { versions } from "../../../runs/directory/versions.js";
import { sectionOf } from "../../../runs/recorded/recorded-config.js";
import type { Job } from "../../plan/queue.js";
import { damaged } from "./compare-episode.js";
import { type ComparedLine, comparedLine } from "./compared-line.js";
import type { Difference, Skipped } from "./documents.js";

/** Trajectory files read concurrently. */
const READ_AHEAD = 16;

/** A valid episode with a trajectory. */
export interface RecordedEpisode {
  readonly line: ComparedLine;
  readonly job: Job;
  /** Path of its trajectory. */
  readonly file: string;
}

/** The replayable part of a run. Trajectories are read on demand. */
export interface RecordedRun {
  readonly total: number;
  readonly episodes: readonly RecordedEpisode[];
  /** Trajectories that cannot be read. */
  readonly damaged: readonly Difference[];
  readonly skipped: readonly Skipped[];
  /** Whether initial states list missing sensors; then the replay must request the same sensors. */
  readonly namesSensors: boolean;
  /** Tasks whose initial states name a node, as on navigation graphs. */
  readonly tasksOnGraphs: ReadonlySet<string>;
}

/** The reason to skip an episode whose simulator is not deterministic. */
const NOT_DETERMINISTIC =
  "its simulator is not deterministic: the same actions may give other states";

/** The result of reading one line. */
type Read =
  | {
      readonly episode: RecordedEpisode;
      readonly namesSensors: boolean;
      readonly isOnGraph: boolean;
    }
  | { readonly damaged: Difference }
  | { readonly skipped: Skipped };

export async function readRecordedRun(
  run: RunDirectory,
  isWanted: (line: EpisodeLine) => boolean,
  signal?: AbortSignal,
): Promise<RecordedRun> {
  const found = {
    total: 0,
    episodes: [] as RecordedEpisode[],
    damaged: [] as Difference[],
    skipped: [] as Skipped[],
    namesSensors: false,
    tasksOnGraphs: new Set<string>(),
  };
  // Repeats of an episode share it.
  const known = new Map<string, BaseEpisode>();
  const lines = wantedLines(run, isWanted, signal);
  for await (const read of mapOrdered(lines, READ_AHEAD, (line) => readLine(run, line))) {
    found.total++;
    if ("skipped" in read) found.skipped.push(read.skipped);
    else if ("damaged" in read) found.damaged.push(read.damaged);
    else {
      const { episode_key } = read.episode.line;
      const episode = known.get(episode_key) ?? read.episode.job.episode;
      known.set(episode_key, episode);
      found.episodes.push({ ...read.episode, job: { ...read.episode.job, episode } });
      found.namesSensors ||= read.namesSensors;
      if (read.isOnGraph) found.tasksOnGraphs.add(read.episode.job.task);
    }
  }
  return found;
}

async function* wantedLines(
  run: RunDirectory,
  isWanted: (line: EpisodeLine) => boolean,
  signal: AbortSignal | undefined,
): AsyncGenerator<EpisodeLine> {
  for await (const line of run.episodes()) {
    if (signal?.aborted) return;
    if (isWanted(line)) yield line;
  }
}

async function readLine(run: RunDirectory, line: EpisodeLine): Promise<Read> {
  const { episode_key, repeat, attempt, task } = line;
  const skip = (why: string): Read => ({ skipped: { episode_key, repeat, why } });
  if (line.outcome === "invalid") return skip(`invalid: ${line.end_reason}`);
  if (line.nondeterministic) return skip(NOT_DETERMINISTIC);
  const file = run.trajectoryOf(line);
  if (file === null) return skip("no trajectory was saved");
  let trajectory: Trajectory;
  try {
    trajectory = await readTrajectory(file);
    checkOwner(line, trajectory, file);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    return { damaged: { episode_key, repeat, ...damaged(error) } };
  }
  const { episode, records } = trajectory;
  const job = { task, episode, repeat, attempt };
  const initial = records[0]?.state;
  return {
    episode: { line: comparedLine(line), job, file },
    namesSensors: initial?.missing_sensors !== undefined,
    isOnGraph: initial?.node !== undefined,
  };
}

function checkOwner({ task, episode_key }: EpisodeLine, { episode }: Trajectory, file: string) {
  const key = episodeKey(task, episode.sceneId, episode.episodeId);
  if (key === episode_key) return;
  throw new DataError("other_episode", `this is the trajectory of ${key}, not of ${episode_key}`, {
    where: file,
  });
}

/** Rejects runs that were imported or scored: these were never simulated. */
export function checkWasRun(run: RunDirectory, { kind, source }: RunInfo, verb: string): void {
  if (kind === "run") return;
  throw new ConfigError(
    "not_simulated",
    `this run was made by ${kind} and was not simulated, so there is nothing to ${verb}`,
    {
      where: run.path,
      hint: source?.run === undefined ? undefined : `${verb} the original run: ${source.run}`,
    },
  );
}

export function nothingToReplay(run: RunDirectory, { skipped }: RecordedRun): DataError {
  const [first] = skipped;
  const why = first
    ? `${lineName(first.episode_key, first.repeat)}: ${first.why}`
    : "it has no episode yet";
  return new DataError("nothing_to_replay", `the run has nothing to replay (${why})`, {
    where: run.path,
    hint:
      first?.why === NOT_DETERMINISTIC
        ? "run it again with another seed, or with repeats, to see how far results vary"
        : "replay needs `output.save_trajectories: true`; `robot-eval audit` runs episodes again and needs no trajectories",
  });
}

/** Warns of other engine versions, which may give other bits. */
export function versionWarnings({ config, versions: recorded, resumed = [] }: RunInfo): string[] {
  const now = versions(sectionOf(config.simulator).engine);
  const made = [recorded, ...resumed.map((part) => part.versions)];
  return Object.keys(now).flatMap((name) => {
    const others = new Set(made.flatMap((part) => part[name] ?? []));
    others.delete(now[name] ?? "");
    if (others.size === 0) return [];
    return [`the run was made with ${name} ${[...others].join(" and ")}, this is ${now[name]}`];
  });
}

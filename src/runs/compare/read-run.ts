import { RobotEvalError } from "../../core/errors.js";
import type { EpisodeLine, Outcome, RunInfo, RunSummary } from "../../core/interfaces/result.js";
import { policiesText } from "../../core/policy-identity.js";
import { RunDirectory } from "../directory/run-directory.js";
import type { RunRef } from "./documents.js";

/** One repeat of an episode. */
export interface Trial {
  readonly repeat: number;
  readonly outcome: Outcome;
  readonly endReason: string;
  /** Indexed like `ComparedRun.metrics`; NaN, or past the end, for missing values. */
  readonly values: readonly number[];
}

export interface EpisodeTrials {
  readonly task: string;
  readonly scene: string;
  readonly profile: string;
  /** The hash of the first repeat that has one; all repeats have the same initial state. */
  readonly initialStateHash: string | null;
  /** Sorted by repeat. */
  readonly trials: readonly Trial[];
}

/** The part of a run that a comparison needs: a few hundred bytes per episode. */
export interface ComparedRun {
  readonly directory: RunDirectory;
  readonly info: RunInfo;
  /** Undefined while the run is in progress, and after a crash. */
  readonly summary: RunSummary | undefined;
  readonly episodes: ReadonlyMap<string, EpisodeTrials>;
  /** Metric names of each task, in the order of the lines. */
  readonly metrics: ReadonlyMap<string, readonly string[]>;
  readonly repeats: number;
}

export async function readComparedRun(path: string): Promise<ComparedRun> {
  const directory = await RunDirectory.open(path);
  const info = await directory.info();
  const summary = await summaryOf(directory, info);
  const collector = new Collector();
  for await (const line of directory.episodes()) collector.add(line);
  return { directory, info, summary, ...collector.finish() };
}

export function refOf({ info, directory, repeats }: ComparedRun): RunRef {
  const { run_id, agent, name, tags, policies, status, seed, partial } = info;
  const policy = policiesText(policies);
  return {
    ...{ run_id, agent },
    ...(name === undefined ? {} : { name }),
    ...(tags === undefined ? {} : { tags }),
    ...(policy === undefined ? {} : { policy }),
    ...{ run_dir: directory.path, status, seed, repeats },
    ...(partial ? { partial } : {}),
  };
}

/** Undefined for unfinished runs; a run with status done but no summary is damaged. */
async function summaryOf(run: RunDirectory, info: RunInfo): Promise<RunSummary | undefined> {
  try {
    return await run.summary();
  } catch (error) {
    const missing = error instanceof RobotEvalError && error.code === "missing_file";
    if (missing && info.status !== "done") return undefined;
    throw error;
  }
}

interface Entry extends EpisodeTrials {
  initialStateHash: string | null;
  readonly trials: Trial[];
}

class Collector {
  readonly #episodes = new Map<string, Entry>();
  readonly #places = new Map<string, Map<string, number>>();
  /** Interned strings: every parsed line holds its own copy of the same few. */
  readonly #strings = new Map<string, string>();

  add(line: EpisodeLine): void {
    const { scene_id, profile, end_reason } = line;
    const trial: Trial = {
      repeat: line.repeat ?? 0,
      outcome: line.outcome,
      endReason: this.#intern(end_reason),
      values: this.#values(line),
    };
    const entry = this.#episodes.get(line.episode_key);
    if (!entry) {
      this.#episodes.set(line.episode_key, {
        task: this.#intern(line.task),
        scene: this.#intern(scene_id),
        profile: this.#intern(profile),
        initialStateHash: line.initial_state_hash ?? null,
        trials: [trial],
      });
      return;
    }
    entry.initialStateHash ??= line.initial_state_hash ?? null;
    const known = entry.trials.findIndex(({ repeat }) => repeat === trial.repeat);
    // Older runs kept the lines of retried attempts; the last line is the result.
    if (known >= 0) entry.trials[known] = trial;
    else entry.trials.push(trial);
  }

  finish(): Pick<ComparedRun, "episodes" | "metrics" | "repeats"> {
    let repeats = 1;
    for (const { trials } of this.#episodes.values()) {
      if (trials.length === 1) continue;
      // Lines are in the order in which episodes finished, and sums must not depend on it.
      trials.sort((x, y) => x.repeat - y.repeat);
      repeats = Math.max(repeats, trials.length);
    }
    const metrics = new Map([...this.#places].map(([task, places]) => [task, [...places.keys()]]));
    return { episodes: this.#episodes, metrics, repeats };
  }

  #values({ task, metrics }: EpisodeLine): number[] {
    const places = this.#places.get(task) ?? new Map<string, number>();
    this.#places.set(task, places);
    const values: number[] = [];
    for (const [metric, value] of Object.entries(metrics)) {
      const place = places.get(metric) ?? places.size;
      places.set(metric, place);
      while (values.length < place) values.push(Number.NaN);
      values[place] = value ?? Number.NaN;
    }
    return values;
  }

  #intern(text: string): string {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    this.#strings.set(text, text);
    return text;
  }
}

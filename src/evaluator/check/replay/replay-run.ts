import type { RunInfo } from "../../../core/interfaces/result.js";
import { RunDirectory } from "../../../runs/directory/run-directory.js";
import { Scheduler, type SchedulerOptions } from "../../execute/scheduler.js";
import { lineNameOf } from "../../plan/jobs.js";
import { chooseEpisode } from "./choose-episode.js";
import { compareEpisode } from "./compare-episode.js";
import type { CheckProgress, Difference, ReplayReport, Skipped } from "./documents.js";
import {
  checkWasRun,
  nothingToReplay,
  type RecordedRun,
  readRecordedRun,
  versionWarnings,
} from "./recorded-run.js";
import { type ReplayPermissions, replayPlan } from "./replay-plan.js";

export interface ReplayOptions
  extends Omit<SchedulerOptions, "savesTrajectories">,
    ReplayPermissions {
  /** Only this episode: its key or a unique id, optionally with `#<repeat>`. */
  readonly episode?: string | undefined;
  /** Only this repeat of `episode`. */
  readonly repeat?: number | undefined;
  /** When aborted, the running episodes are finished and compared. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
}

/**
 * Simulates recorded episodes again from their actions and compares every step with the record, to the bit.
 * Needs the scenes, but neither the policy nor the dataset.
 *
 * @example
 * const { equal, different } = await replayRun("runs/20260101T120000Z-vln-challenge-random");
 */
export async function replayRun(path: string, options: ReplayOptions = {}): Promise<ReplayReport> {
  const { episode, repeat, signal } = options;
  const run = await RunDirectory.open(path);
  const info = await run.info();
  checkWasRun(run, info, "replay");
  const isWanted = episode === undefined ? () => true : await chooseEpisode(run, episode, repeat);
  const recorded = await readRecordedRun(run, isWanted, signal);
  if (recorded.episodes.length === 0 && recorded.damaged.length === 0 && !signal?.aborted) {
    throw nothingToReplay(run, recorded);
  }
  const { done, different, errors } = await compareAll(run, info, recorded, options);
  const replayed = done - errors.length + recorded.damaged.length;
  return {
    format: "robot-eval-replay/1",
    run_id: info.run_id,
    total: recorded.total,
    replayed,
    equal: replayed - different.length,
    different,
    errors,
    skipped: recorded.skipped,
    warnings: versionWarnings(info),
    ...(done < recorded.episodes.length || signal?.aborted ? { interrupted: true } : {}),
  };
}

interface Compared {
  readonly done: number;
  readonly different: readonly Difference[];
  readonly errors: readonly Skipped[];
}

async function compareAll(
  run: RunDirectory,
  info: RunInfo,
  recorded: RecordedRun,
  options: ReplayOptions,
): Promise<Compared> {
  const { episodes } = recorded;
  const different = [...recorded.damaged];
  const errors: Skipped[] = [];
  if (episodes.length === 0) return { done: 0, different, errors };
  const plan = await replayPlan(run, info, recorded, permissionsIn(options));
  const byName = new Map(episodes.map((one) => [lineNameOf(one.job), one]));
  const jobs = episodes.map(({ job }) => job);
  const evaluation = await Scheduler.open(plan, jobs, { ...options, savesTrajectories: true });
  let done = 0;
  try {
    await evaluation.run(async ({ line, steps }, job) => {
      const one = byName.get(lineNameOf(job));
      if (line.outcome === "invalid" || !steps) {
        const why = line.error?.message ?? line.explanation;
        errors.push({ episode_key: line.episode_key, repeat: line.repeat, why });
      } else {
        const found = one && (await compareEpisode(one, line, steps));
        if (found) different.push(found);
      }
      done++;
      options.onProgress?.({
        ...{ done, total: episodes.length },
        ...{ different: different.length, errors: errors.length },
      });
    }, options.signal);
  } finally {
    await evaluation.close();
  }
  return { done, different: inOrder(different), errors: inOrder(errors) };
}

/** The options that grant permissions. */
function permissionsIn(options: ReplayOptions): ReplayPermissions {
  const { registries, benchmark, simulator, plugins, scenes, connectivity, bundle } = options;
  return { registries, benchmark, simulator, plugins, scenes, connectivity, bundle };
}

/** Sorts episodes into the order of the run. */
function inOrder<T extends Pick<Skipped, "episode_key" | "repeat">>(found: readonly T[]): T[] {
  const order = new Intl.Collator("en", { numeric: true });
  return [...found].sort(
    (a, b) => order.compare(a.episode_key, b.episode_key) || a.repeat - b.repeat,
  );
}

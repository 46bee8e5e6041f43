import type {
  Fault,
  IntervalMethod,
  MetricSummary,
  PartialScore,
  RunStatus,
} from "../../core/interfaces/result.js";
import type { Interval } from "../../stats/interval.js";
import type { PairedTest } from "../../stats/paired-comparison.js";
import type { TellApart } from "../../stats/power.js";

/** The output of `robot-eval compare --json`; docs/comparing.md documents its keys. */

export interface RunRef {
  readonly run_id: string;
  readonly agent: string;
  /** The run's name, if it has one. */
  readonly name?: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** What its policies declared, in one line. */
  readonly policy?: string;
  readonly run_dir: string;
  readonly status: RunStatus;
  readonly seed: number;
  /** The greatest number of repeats of an episode. */
  readonly repeats: number;
  /** Only if part of the dataset was scored. */
  readonly partial?: PartialScore;
}

/**
 * The verdict on the difference. `differs` is for metrics without a direction; `unclear` does not prove that there
 * is no difference.
 */
export type MetricVerdict = "better" | "worse" | "differs" | "unclear";

/** One metric of one task over the shared episodes. */
export interface MetricComparison {
  readonly task: string;
  readonly metric: string;
  /** True for the metric that decides the task's outcomes. */
  readonly primary: boolean;
  /** Null if neither run has a summary with the direction. */
  readonly direction: MetricSummary["direction"] | null;
  /** Number of episodes, each counted once regardless of repeats. */
  readonly n: number;
  readonly mean_a: number;
  readonly mean_b: number;
  /** B minus A. */
  readonly difference: number;
  /** 95 % interval of the mean difference. It excludes 0 exactly where `p` is below 0.05. */
  readonly ci95: Interval | null;
  readonly ci_method: IntervalMethod;
  readonly test: PairedTest;
  /** For McNemar's test: episodes where only A, and only B, has the value 1. */
  readonly discordant: { readonly only_a: number; readonly only_b: number } | null;
  /** Two-sided; null if no test is possible (a single episode). */
  readonly p: number | null;
  /** Holm-adjusted over the primary metrics of all tasks and runs compared together; null for other metrics. */
  readonly p_holm: number | null;
  /** True if `p_holm` is below 0.05; for a metric that is not primary, if `p` is. */
  readonly significant: boolean;
  readonly verdict: MetricVerdict;
  /** If not significant: the number of episodes that would show this difference with 80 % power. */
  readonly tell_apart: TellApart | null;
}

/** The result of an episode in one of the runs. */
export interface EpisodeSide {
  readonly end_reason: string;
  readonly explanation: string;
  /** Only with repeats. Reason and explanation are then those of the first repeat with the majority outcome. */
  readonly succeeded?: number;
  readonly judged?: number;
}

export interface FlippedEpisode {
  readonly episode_key: string;
  readonly to: "success" | "failure";
  readonly a: EpisodeSide;
  readonly b: EpisodeSide;
}

/** An episode that is invalid in at least one run; only those runs are listed. */
export interface UnjudgedEpisode {
  readonly episode_key: string;
  readonly a?: UnjudgedSide;
  readonly b?: UnjudgedSide;
}

interface UnjudgedSide {
  readonly fault: Fault;
  readonly explanation: string;
}

/** Number of episodes (with repeats: of repeats) of a task with one end reason in A and another in B. */
export interface ChangedEnd {
  readonly task: string;
  readonly a: string;
  readonly b: string;
  readonly count: number;
}

/** A key of run.json that differs. A run without the key has no entry. */
export interface ChangedKey {
  readonly key: string;
  readonly a?: unknown;
  readonly b?: unknown;
}

export interface RunComparison {
  readonly format: "robot-eval-compare/1";
  readonly a: RunRef;
  readonly b: RunRef;
  readonly episodes: {
    readonly shared: number;
    readonly only_a: number;
    readonly only_b: number;
    /** Shared episodes that are invalid in at least one run, and so not compared. */
    readonly invalid: number;
    readonly compared: number;
  };
  /** Number of tests in the Holm correction: one for each task's primary metric and run. */
  readonly tests: number;
  readonly metrics: readonly MetricComparison[];
  /** Keys of all flipped episodes. With repeats, the majority outcome counts. */
  readonly flipped: {
    readonly to_success: readonly string[];
    readonly to_failure: readonly string[];
  };
  /** Flipped episodes with explanations: all, or the requested number per direction. */
  readonly flipped_episodes: readonly FlippedEpisode[];
  /** Most frequent first. */
  readonly changed_ends: readonly ChangedEnd[];
  readonly changed: readonly ChangedKey[];
  /** Tasks of both runs without an episode that is valid in both. */
  readonly unjudged_tasks: readonly string[];
  /** At most 100. */
  readonly invalid_episodes: readonly UnjudgedEpisode[];
  /** Caveats about the numbers, as sentences. */
  readonly notes: readonly string[];
}

/** Several runs compared with one baseline; the p-values of their primary metrics are adjusted together. */
export interface RunComparisons {
  readonly format: "robot-eval-comparisons/1";
  readonly baseline: RunRef;
  readonly comparisons: readonly RunComparison[];
}

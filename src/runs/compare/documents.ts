import type {
  Fault,
  IntervalMethod,
  MetricSummary,
  RunStatus,
} from "../../core/interfaces/result.js";
import type { Interval } from "../../stats/interval.js";
import type { TellApart } from "../../stats/power.js";

/** What `robot-eval compare --json` prints. Keys are the ones of the document: docs/comparing.md. */

export interface RunRef {
  readonly run_id: string;
  readonly agent: string;
  readonly run_dir: string;
  readonly status: RunStatus;
  readonly seed: number;
  /** How often the run did an episode at most. */
  readonly repeats: number;
}

/**
 * What can be said of the difference. `differs` is for metrics that are neither better high nor low;
 * `unclear` is no proof that there is none.
 */
export type MetricVerdict = "better" | "worse" | "differs" | "unclear";

/** One metric of one task over the episodes that both runs have. */
export interface MetricComparison {
  readonly task: string;
  readonly metric: string;
  /** Whether it is the one that decides the task's outcomes. */
  readonly primary: boolean;
  /** Null where neither run has a summary that tells. */
  readonly direction: MetricSummary["direction"] | null;
  /** Episodes, each of them once however often it was repeated. */
  readonly n: number;
  readonly mean_a: number;
  readonly mean_b: number;
  /** B minus A. */
  readonly difference: number;
  /** 95 %, of the paired differences; scenes are drawn whole where episodes share them. */
  readonly ci95: Interval | null;
  readonly ci_method: IntervalMethod;
  /** `sign_exact` where every episode differs by the same, which leaves a t test no spread to go by. */
  readonly test: "mcnemar_exact" | "paired_t" | "sign_exact";
  /** For McNemar: episodes where only A, and only B, has a 1. */
  readonly discordant: { readonly only_a: number; readonly only_b: number } | null;
  /** Two-sided; null where no test is possible (a single episode). */
  readonly p: number | null;
  /** Holm-adjusted over all metrics and all runs that were compared together. */
  readonly p_holm: number | null;
  /** Whether `p_holm` is below 0.05. */
  readonly significant: boolean;
  readonly verdict: MetricVerdict;
  /** Where it is not significant: how many episodes would show this difference, were it real (80 % power). */
  readonly tell_apart: TellApart | null;
}

/** How an episode went in one of the runs. */
export interface EpisodeSide {
  readonly end_reason: string;
  readonly explanation: string;
  /** Only with repeats; reason and explanation are then of the first that is like most of them. */
  readonly succeeded?: number;
  readonly judged?: number;
}

export interface FlippedEpisode {
  readonly episode_key: string;
  readonly to: "success" | "failure";
  readonly a: EpisodeSide;
  readonly b: EpisodeSide;
}

/** An episode that a run could not judge. Only the runs that could not are named. */
export interface UnjudgedEpisode {
  readonly episode_key: string;
  readonly a?: UnjudgedSide;
  readonly b?: UnjudgedSide;
}

export interface UnjudgedSide {
  readonly fault: Fault;
  readonly explanation: string;
}

/** Episodes (with repeats: repeats) of a task that ended for one reason in A and for another in B. */
export interface ChangedEnd {
  readonly task: string;
  readonly a: string;
  readonly b: string;
  readonly count: number;
}

/** What run.json says of one run and not of the other. A side that has no such key is absent. */
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
    /** Shared episodes that at least one run could not judge, and so not compared. */
    readonly invalid: number;
    readonly compared: number;
  };
  /** How many tests the Holm correction is over. */
  readonly tests: number;
  readonly metrics: readonly MetricComparison[];
  /** All of them, by key. With repeats an episode counts as what most of its repeats were. */
  readonly flipped: {
    readonly to_success: readonly string[];
    readonly to_failure: readonly string[];
  };
  /** Those of them that are explained: all, or as many as were asked for in each direction. */
  readonly flipped_episodes: readonly FlippedEpisode[];
  /** The most frequent first. */
  readonly changed_ends: readonly ChangedEnd[];
  readonly changed: readonly ChangedKey[];
  /** Tasks that both runs have and of which not one episode was judged in both. */
  readonly unjudged_tasks: readonly string[];
  /** The first 100. */
  readonly invalid_episodes: readonly UnjudgedEpisode[];
  /** What a reader of the numbers has to know, in sentences. */
  readonly notes: readonly string[];
}

/** Several runs against one: their p-values are adjusted together. */
export interface RunComparisons {
  readonly format: "robot-eval-comparisons/1";
  readonly baseline: RunRef;
  readonly comparisons: readonly RunComparison[];
}

import type { IntervalMethod, RunStatus } from "../../core/interfaces/result.js";
import type { Interval } from "../../stats/interval.js";
import type { PairedTest } from "../../stats/paired-comparison.js";

/**
 * stress.json: where a policy breaks. A stress folder holds this file, an ordinary run directory `baseline`, one for
 * each axis and level, and one of the expert where it decides which perturbed episodes can be solved.
 * docs/robustness.md documents the keys.
 */
export interface StressReport {
  readonly format: "robot-eval-stress/1";
  /** Name of the stress folder. */
  readonly stress_id: string;
  /** `running` also after a crash; `robot-eval resume <folder>` continues it. */
  readonly status: RunStatus;
  /** Name of the benchmark. */
  readonly benchmark: string;
  readonly agent: string;
  /** What the policy declared in the baseline; absent if it declared nothing. Foreign text. */
  readonly policy?: string | undefined;
  readonly seed: number;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly baseline: StressBaseline;
  /** In the requested order. */
  readonly axes: readonly StressAxis[];
  /** Most damaging first; only axes with at least one compared episode. */
  readonly ranking: readonly StressRank[];
  /** Number of tests in the Holm correction: one for each axis and level. */
  readonly tests: number;
  /** Half the width at which a level stops early; null if all episodes run. */
  readonly early_stop: { readonly half_width: number; readonly min_episodes: number } | null;
  /** Caveats about the numbers, as sentences. */
  readonly notes: readonly string[];
}

/** The unperturbed run. */
interface StressBaseline {
  /** Run directory, relative to the stress folder. */
  readonly run: string;
  readonly status: StressPartStatus;
  readonly total: number;
  readonly invalid: number;
  /** Share of successful episodes among the valid ones; null before there is one. */
  readonly success: number | null;
  readonly ci95: Interval | null;
  readonly ci_method: IntervalMethod;
}

/** `waiting`: the run has not been started. */
export type StressPartStatus = RunStatus | "waiting";

export interface StressAxis {
  readonly axis: string;
  readonly description: string;
  /** `simulator` axes change the world, `interface` axes what passes between simulator and policy. */
  readonly kind: "simulator" | "interface";
  /** What `value` of a level measures, for example `brightness`. */
  readonly parameter: string;
  /** Unit of the parameter, for example `m`; empty if it has none. */
  readonly unit: string;
  /** The parameter's value in an unperturbed episode. */
  readonly neutral: number;
  /** Settings given by the user, such as the file of paraphrases. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Tasks of the benchmark that the axis cannot perturb; their episodes are in no number of the axis. */
  readonly skipped_tasks: readonly { readonly task: string; readonly reason: string }[];
  /** The requested levels, in order from 1 to 3. */
  readonly levels: readonly StressLevel[];
  readonly break_point: BreakPoint;
  /** Up to three episodes to look at first. */
  readonly telling_episodes: readonly TellingEpisode[];
}

/**
 * Success over the pairs of one level: the same episodes, unperturbed and perturbed. An episode counts once, as the
 * mean over its valid repeats.
 */
export interface StressMeasure {
  /** Compared episodes. All other numbers are null if it is 0. */
  readonly n: number;
  /** Success of the unperturbed episodes of the pairs. */
  readonly baseline: number | null;
  readonly success: number | null;
  /** Success minus baseline. */
  readonly difference: number | null;
  /** 95 % interval of the difference; `sequential`, which is wider, if the level stopped early. */
  readonly ci95: Interval | null;
  readonly ci_method: IntervalMethod;
  readonly test: PairedTest | null;
  /** Two-sided. */
  readonly p: number | null;
  /** Episodes that succeed only without the perturbation. */
  readonly lost: number;
  /** Episodes that succeed only with it. */
  readonly gained: number;
}

export interface StressLevel extends StressMeasure {
  readonly level: number;
  /** Value of the axis's parameter. */
  readonly value: number;
  /** Run directory, relative to the stress folder. */
  readonly run: string;
  readonly status: StressPartStatus;
  /** Run directory of the expert on the perturbed episodes; null if the axis cannot make them unsolvable. */
  readonly expert_run: string | null;
  /** Pairs left out because the expert cannot solve the perturbed episode. */
  readonly unsolvable: number;
  /** Pairs left out because an episode is invalid on either side. */
  readonly invalid: number;
  /** Only if the level stopped early: episodes that ran, of all. */
  readonly stopped_early: { readonly counted: number; readonly of: number } | null;
  /** Holm-adjusted over all axes and levels. */
  readonly p_holm: number | null;
  /** True if `p_holm` is below 0.05; if the level stopped early, `ci95` must also exclude 0. */
  readonly significant: boolean;
  /** Results keyed by task, if the benchmark has several; not adjusted for multiple tests. */
  readonly per_task: Readonly<Record<string, StressMeasure>>;
}

/** Where success falls to half of the baseline's, interpolated between levels. */
export interface BreakPoint {
  /**
   * `reached`: `value` and `level` say where. `not_reached`: success stays above half at every level. `unknown`: no
   * level was compared, or the baseline never succeeds.
   */
  readonly state: "reached" | "not_reached" | "unknown";
  /** Value of the axis's parameter. */
  readonly value: number | null;
  /** The same place as a level, 0 to 3, for example 1.4. */
  readonly level: number | null;
  /**
   * 95 % interval of `value`, its first number nearer to the neutral value. The second is null if even the strongest
   * level may not reach the break point. Null as a whole if the lower limit is beyond the strongest level, too.
   */
  readonly ci95: readonly [near: number, far: number | null] | null;
}

export interface StressRank {
  readonly axis: string;
  /** Mean loss of success over the axis's levels, -1 to 1. */
  readonly damage: number;
  /** The level with the greatest loss. */
  readonly worst_level: number;
  readonly worst_difference: number;
  /** Smallest over the levels. */
  readonly p_holm: number | null;
  readonly significant: boolean;
}

/** An episode that changes its outcome at the weakest perturbation. */
export interface TellingEpisode {
  readonly episode_key: string;
  /** `failure`: it succeeds unperturbed and fails from `level` on. */
  readonly to: "success" | "failure";
  /** The weakest level at which the outcome changes. */
  readonly level: number;
  /** Whether the outcome is the same at all stronger levels that ran. */
  readonly stays: boolean;
  readonly baseline: StressSide;
  readonly perturbed: StressSide;
}

export interface StressSide {
  /** Run directory, relative to the stress folder. */
  readonly run: string;
  readonly repeat: number;
  readonly end_reason: string;
  readonly steps: number;
  readonly explanation: string;
}

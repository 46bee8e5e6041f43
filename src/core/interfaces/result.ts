import type { Aggregate } from "../metric/base.js";
import type { MetricValues } from "../metric/scorer.js";

/**
 * The documents of a run directory. Their keys are the ones on disk.
 */

/** Success and failure count in the headline; invalid is listed beside it and names its fault. */
export type Outcome = "success" | "failure" | "invalid";

/** Whose fault it was: ours, the dataset's, or the policy's. */
export type Fault = "platform" | "data" | "agent";

export interface EpisodeError {
  readonly code: string;
  readonly message: string;
}

/** How long the agent took to answer, in milliseconds: percentiles over `n` answers. */
export interface LatencySummary {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly n: number;
}

/** Counts of latencies by bucket, see src/stats/latency-sketch.ts. */
export type LatencySketch = Readonly<Record<string, number>>;

/** An episode's latencies: exact percentiles, and what the run's are added up from. */
export interface EpisodeLatency extends LatencySummary {
  readonly sketch: LatencySketch;
}

/** A line of episodes.jsonl. */
export interface EpisodeLine {
  readonly episode_key: string;
  readonly episode_id: string;
  readonly scene_id: string;
  readonly task: string;
  readonly task_type: string;
  readonly repeat: number;
  readonly attempt: number;
  readonly seed: number;
  readonly agent_seed: number;
  readonly outcome: Outcome;
  readonly fault?: Fault;
  readonly end_reason: string;
  readonly metrics: MetricValues;
  readonly profile: string;
  readonly steps: number;
  readonly wall_ms: number;
  readonly sim_ms: number;
  readonly agent_ms: number;
  readonly agent_latency_ms: EpisodeLatency | null;
  readonly initial_state_hash: string | null;
  readonly final_state_hash: string | null;
  /** The simulator does not promise the same states for the same actions, so a replay would prove nothing. */
  readonly nondeterministic?: true;
  /** Relative to the run directory; null when trajectories are not saved. */
  readonly trajectory: string | null;
  /** The rollout's film, relative to the run directory; only where one was made. */
  readonly video?: string;
  /** What the world looked like, relative to the run directory; only where the simulator told it. */
  readonly geometry?: string;
  readonly error?: EpisodeError;
  readonly explanation: string;
}

/**
 * How an interval was made: docs/statistics.md. `wilson_repeats` knows that an episode's repeats are not
 * independent, `sequential` holds whenever the run was stopped, `mover` combines the intervals of several tasks;
 * `none` means that there was nothing to make one of.
 */
export type IntervalMethod =
  | "wilson"
  | "wilson_repeats"
  | "sequential"
  | "bootstrap"
  | "cluster_bootstrap"
  | "cluster_t"
  | "normal"
  | "mover"
  | "none";

/** One metric over one set of episodes. */
export interface MetricSummary extends Aggregate {
  /** 95 % interval of the mean; null when there is none. */
  readonly ci95: readonly [low: number, high: number] | null;
  readonly ci_method: IntervalMethod;
  /** Episodes that are invalid and so not in `count`. */
  readonly n_invalid: number;
  /** The mean without episodes that the agent broke off; only where there are such. */
  readonly mean_without_agent_faults?: number | null;
  /** Only with repeats: episodes that have a value. `count` counts every repeat. */
  readonly n_episodes?: number;
  /** Only with repeats: the mean of each, in their order; null where one has no value. */
  readonly repeat_means?: readonly (number | null)[];
  /** Present in the flat map where several tasks share the metric. */
  readonly pooling?: "macro";
  readonly unit: string;
  readonly direction: "higher" | "lower" | "none";
}

export type MetricTable = Readonly<Record<string, MetricSummary>>;

/** An episode that went wrong, and how. */
export interface FaultyEpisode {
  readonly episode_key: string;
  /** Absent for the first. */
  readonly repeat?: number;
  readonly fault: Fault;
  readonly code: string;
  readonly message: string;
}

/** How a task's early stop came out. */
export interface EarlyStop {
  /** Always the task's primary one. */
  readonly metric: string;
  /** Half the width of the interval that was asked for. */
  readonly half_width: number;
  readonly reached: boolean;
  /** Episodes that count, from the first of the run's order: all of them when it was not reached. */
  readonly counted: number;
  readonly of: number;
}

/** summary.json */
export interface RunSummary {
  readonly format: "robot-eval-summary/1";
  readonly run_id: string;
  readonly status: RunStatus;
  readonly benchmark: string;
  readonly agent: string;
  readonly seed: number;
  readonly profiles: Readonly<Record<string, string>>;
  readonly episodes: {
    readonly total: number;
    readonly success: number;
    readonly failure: number;
    readonly invalid: number;
  };
  /** How often each episode was to be run. */
  readonly repeats: number;
  readonly aggregated_metrics: MetricTable;
  readonly per_task: Readonly<Record<string, MetricTable>>;
  readonly primary_metrics: Readonly<Record<string, string>>;
  readonly end_reasons: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** The first of them; episodes.jsonl has them all. */
  readonly invalid_episodes: readonly FaultyEpisode[];
  /** Failures that were the agent's fault, the first of them: it gave nonsense, broke off or was too slow. */
  readonly broken_off_episodes: readonly FaultyEpisode[];
  /** By task; only where the benchmark asks for it. */
  readonly early_stop?: Readonly<Record<string, EarlyStop>>;
  readonly timings: {
    readonly wall_ms: number;
    readonly sim_ms: number;
    readonly agent_ms: number;
    readonly steps: number;
    /** Over every answer of the run, right to 2 %; null where nobody was timed. */
    readonly agent_latency_ms: LatencySummary | null;
  };
}

export type RunStatus = "running" | "done" | "cancelled" | "failed";

/** summary.json's content, and where it stands (null when nothing was written). */
export type RunResults = RunSummary & { readonly run_dir: string | null };

/** run.json */
export interface RunInfo {
  readonly format: "robot-eval-run/1";
  readonly run_id: string;
  readonly status: RunStatus;
  readonly kind: "run" | "score";
  readonly benchmark: {
    readonly name: string;
    /** Of benchmark.yaml. */
    readonly sha256: string;
    /** Where it was read, and what `--set` changed in it; absent where it came from no file. */
    readonly file?: string;
    readonly set?: readonly string[];
  };
  /** The benchmark with all defaults and overrides written out; itself a valid benchmark. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Which of the benchmark's episodes were asked for; empty means all. */
  readonly selection: {
    readonly limit?: number;
    readonly filter?: string;
    /** `2/4`: the second of four parts. */
    readonly shard?: string;
  };
  /** What was selected, by task, before a shard is taken: the same in all shards of a benchmark. */
  readonly data: Readonly<Record<string, DataDigest>>;
  readonly seed: number;
  readonly agent: string;
  readonly disclosed: Readonly<Record<string, readonly string[]>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly warnings: readonly string[];
  /** Each time that it was taken up again. */
  readonly resumed?: readonly Resumption[];
  /** Only for runs that workers of a cluster made. */
  readonly cluster?: {
    /** The database's address, without a password. */
    readonly database: string;
  };
  /** The runs that this one was put together from. */
  readonly merged?: readonly string[];
  /** For `score`: what was scored. */
  readonly source?: Readonly<Record<string, string>>;
}

/** A set of episodes. */
export interface DataDigest {
  readonly episodes: number;
  /** Of the sorted SHA-256 sums of the episodes as JSON: the file's order and layout do not enter. */
  readonly sha256: string;
}

export interface Resumption {
  readonly at: string;
  /** Episodes that were there by then. */
  readonly done: number;
  readonly agent: string;
  readonly versions: Readonly<Record<string, string>>;
}

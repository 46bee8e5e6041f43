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
  /** Relative to the run directory; null when trajectories are not saved. */
  readonly trajectory: string | null;
  readonly error?: EpisodeError;
  readonly explanation: string;
}

/**
 * How an interval was made: docs/statistics.md. `mover` combines the intervals of several tasks;
 * `none` means that there was nothing to make one of.
 */
export type IntervalMethod =
  | "wilson"
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
  /** Present in the flat map where several tasks share the metric. */
  readonly pooling?: "macro";
  readonly unit: string;
  readonly direction: "higher" | "lower" | "none";
}

export type MetricTable = Readonly<Record<string, MetricSummary>>;

/** An episode that went wrong, and how. */
export interface FaultyEpisode {
  readonly episode_key: string;
  readonly fault: Fault;
  readonly code: string;
  readonly message: string;
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
  readonly aggregated_metrics: MetricTable;
  readonly per_task: Readonly<Record<string, MetricTable>>;
  readonly primary_metrics: Readonly<Record<string, string>>;
  readonly end_reasons: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** The first of them; episodes.jsonl has them all. */
  readonly invalid_episodes: readonly FaultyEpisode[];
  /** Failures that were the agent's fault, the first of them: it gave nonsense, broke off or was too slow. */
  readonly broken_off_episodes: readonly FaultyEpisode[];
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
  readonly benchmark: { readonly name: string; readonly sha256: string };
  /** The benchmark with all defaults and overrides written out; itself a valid benchmark. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Which of the benchmark's episodes were asked for; empty means all. */
  readonly selection: {
    readonly limit?: number;
    readonly filter?: string;
    /** `2/4`: the second of four parts. */
    readonly shard?: string;
  };
  readonly seed: number;
  readonly agent: string;
  readonly disclosed: Readonly<Record<string, readonly string[]>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly warnings: readonly string[];
  /** For `score`: what was scored. */
  readonly source?: Readonly<Record<string, string>>;
}

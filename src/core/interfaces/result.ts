import type { Aggregate } from "../metric/base.js";
import type { MetricValues } from "../metric/scorer.js";
import type { PerturbationRecord } from "../perturbation/record.js";
import type { PolicyIdentities } from "../policy-identity.js";

/**
 * The documents of a run directory, with their keys on disk.
 */

/** Success and failure count in the metrics. Invalid episodes are counted separately, with the cause in `fault`. */
export type Outcome = "success" | "failure" | "invalid";

/** What caused a faulty episode: the platform, the dataset or the agent. */
export type Fault = "platform" | "data" | "agent";

export interface EpisodeError {
  readonly code: string;
  readonly message: string;
}

/** Percentiles of the agent's response times over `n` answers, in milliseconds. */
export interface LatencySummary {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly n: number;
}

/** Counts of latencies by bucket, see src/stats/latency-sketch.ts. */
export type LatencySketch = Readonly<Record<string, number>>;

/** An episode's latencies: exact percentiles, and a sketch from which those of the run are computed. */
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
  /** Only in a run with `evaluation.perturbation`. */
  readonly perturbation?: PerturbationRecord;
  readonly outcome: Outcome;
  readonly fault?: Fault;
  readonly end_reason: string;
  readonly metrics: MetricValues;
  readonly profile: string;
  readonly steps: number;
  /** Actions among the steps, where some took several steps: how often the policy's answers were executed. */
  readonly actions?: number;
  readonly wall_ms: number;
  readonly sim_ms: number;
  readonly agent_ms: number;
  readonly agent_latency_ms: EpisodeLatency | null;
  readonly initial_state_hash: string | null;
  readonly final_state_hash: string | null;
  /** The simulator is not deterministic, so a replay with the same actions may give other states. */
  readonly nondeterministic?: true;
  /** Relative to the run directory; null when trajectories are not saved. */
  readonly trajectory: string | null;
  /** The episode's video, relative to the run directory; only if one was recorded. */
  readonly video?: string;
  /** The scene's geometry, relative to the run directory; only if the simulator provides it. */
  readonly geometry?: string;
  readonly error?: EpisodeError;
  readonly explanation: string;
}

/**
 * How an interval was computed, see docs/statistics.md. `wilson_scenes`, `cluster_t` and `tango_scenes` account for
 * episodes that share scenes, `wilson_repeats` for an episode's repeats; `tango` and `tango_scenes` are of the
 * difference of two runs' outcomes; `sequential` is valid at any stopping time; `mover` combines the intervals of
 * several tasks; `none` means that there is no interval. Runs of earlier versions may name others, such as `bootstrap`.
 */
export type IntervalMethod =
  | "wilson"
  | "wilson_scenes"
  | "wilson_repeats"
  | "sequential"
  | "student_t"
  | "cluster_t"
  | "equal_values"
  | "tango"
  | "tango_scenes"
  | "mover"
  | "none";

/** One metric over one set of episodes. */
export interface MetricSummary extends Aggregate {
  /** 95 % interval of the mean; null when there is none. */
  readonly ci95: readonly [low: number, high: number] | null;
  readonly ci_method: IntervalMethod;
  /** Invalid episodes, which `count` does not include. */
  readonly n_invalid: number;
  /** The mean without episodes that ended by an agent fault; only if there are any. */
  readonly mean_without_agent_faults?: number | null;
  /** Only with repeats: episodes that have a value. `count` counts every repeat. */
  readonly n_episodes?: number;
  /** Only with repeats: the mean of each repeat, in order; null where one has no value. */
  readonly repeat_means?: readonly (number | null)[];
  /** Present in `aggregated_metrics` if several tasks share the metric. */
  readonly pooling?: "macro";
  readonly unit: string;
  readonly direction: "higher" | "lower" | "none";
}

export type MetricTable = Readonly<Record<string, MetricSummary>>;

/** An episode with a fault, and the error. */
export interface FaultyEpisode {
  readonly episode_key: string;
  /** Absent for the first. */
  readonly repeat?: number;
  readonly fault: Fault;
  readonly code: string;
  readonly message: string;
}

/** The result of a task's early stopping: at a narrow interval of its metric, or when a duel was decided. */
export interface EarlyStop {
  /** The metric that decides: the task's primary metric, unless the duel has another. */
  readonly metric: string;
  /** Half the width of the target interval; absent in a duel. */
  readonly half_width?: number;
  /** Only in a duel: the agents that this one was compared with. */
  readonly against?: readonly string[];
  readonly reached: boolean;
  /** Episodes that count, the first ones in the run's order; all of them if the target was not reached. */
  readonly counted: number;
  readonly of: number;
}

/** A score of part of a dataset. The other episodes have no prediction and are in no number. */
export interface PartialScore {
  readonly scored: number;
  /** Episodes of the dataset that a complete submission is scored on. */
  readonly of: number;
}

/** What a run is called, beside its id. */
export interface RunLabels {
  /** Given by the user. */
  readonly name?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** What the run's policies declared. Foreign text. */
  readonly policies?: PolicyIdentities | undefined;
}

/** How many of a benchmark's episodes a run selected, over all tasks and before sharding. */
export interface SelectedEpisodes {
  readonly episodes: number;
  readonly of: number;
}

/** summary.json */
export interface RunSummary extends RunLabels {
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
  /** Only if a limit or filter selected fewer episodes than the benchmark has. */
  readonly selected?: SelectedEpisodes;
  /** Only for `score --partial`, if predictions are missing. */
  readonly partial?: PartialScore;
  /** How many times each episode is run. */
  readonly repeats: number;
  readonly aggregated_metrics: MetricTable;
  readonly per_task: Readonly<Record<string, MetricTable>>;
  readonly primary_metrics: Readonly<Record<string, string>>;
  readonly end_reasons: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** The first invalid episodes; episodes.jsonl has all of them. */
  readonly invalid_episodes: readonly FaultyEpisode[];
  /** The first failures by an agent fault: an invalid action, a lost connection or a timeout. */
  readonly broken_off_episodes: readonly FaultyEpisode[];
  /** Early stops, keyed by task; only if the benchmark enables them. */
  readonly early_stop?: Readonly<Record<string, EarlyStop>>;
  readonly timings: {
    readonly wall_ms: number;
    readonly sim_ms: number;
    readonly agent_ms: number;
    readonly steps: number;
    /** Over every answer of the run, accurate to 2 %; null when nothing was timed. */
    readonly agent_latency_ms: LatencySummary | null;
  };
}

export type RunStatus = "running" | "done" | "cancelled" | "failed";

/** The content of summary.json, and the run directory (null when nothing was written). */
export type RunResults = RunSummary & {
  readonly run_dir: string | null;
  /** Why the run stopped itself before its end; also a warning in run.json. */
  readonly given_up?: string;
};

/** Names of the sensors that a policy receives, by task; null if only the running simulator knows them. */
export type SensorNames = Readonly<Record<string, readonly string[] | null>>;

/** run.json */
export interface RunInfo extends RunLabels {
  readonly format: "robot-eval-run/1";
  readonly run_id: string;
  readonly status: RunStatus;
  readonly kind: "run" | "score";
  readonly benchmark: {
    readonly name: string;
    /** Checksum of benchmark.yaml. */
    readonly sha256: string;
    /** Path of the benchmark file and its `--set` overrides; absent if it was not read from a file. */
    readonly file?: string;
    readonly set?: readonly string[];
  };
  /** The benchmark with all defaults and overrides applied; a valid benchmark itself. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Which of the benchmark's episodes were selected; empty means all. */
  readonly selection: {
    /** Episodes of each task: a sample over the scenes; the first ones in runs whose `data` has no `of`. */
    readonly limit?: number;
    /** Episodes of each task, from the first. */
    readonly first?: number;
    readonly filter?: string;
    /** `2/4`: the second of four parts. */
    readonly shard?: string;
  };
  /** The selected episodes by task, before sharding: equal in all shards of a benchmark. */
  readonly data: Readonly<Record<string, DataDigest>>;
  readonly seed: number;
  readonly agent: string;
  /** A MAC by which a user account recognises its own runs: see src/runs/directory/run-key.ts. */
  readonly config_mac?: string;
  readonly disclosed: Readonly<Record<string, readonly string[]>>;
  /**
   * The sensors that the policy received, by task; null if only the simulator knew. Absent in runs of early versions,
   * whose observations had exactly the sensors in `config.simulator.sensors`.
   */
  readonly sensors?: SensorNames;
  readonly versions: Readonly<Record<string, string>>;
  /** The frozen worlds that the run plays. */
  readonly parity?: readonly (ParityVerdict | UncheckedParity)[];
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly warnings: readonly string[];
  /** Each time the run was resumed. */
  readonly resumed?: readonly Resumption[];
  /** Only for runs on a cluster. */
  readonly cluster?: {
    /** The database's address, without a password. */
    readonly database: string;
  };
  /** Only for a run of a duel, which decides when it ends. */
  readonly duel?: RunDuel;
  /** The runs that were merged into this one. */
  readonly merged?: readonly string[];
  /** Only for `score --partial`, if predictions are missing. */
  readonly partial?: PartialScore;
  /** For `score`: what was scored. */
  readonly source?: Readonly<Record<string, string>>;
}

/** What `robot-eval parity` last found out about a frozen world on the machine that started the run. */
export interface ParityVerdict extends WorldOnEngine {
  /** Names the criteria. */
  readonly format: string;
  readonly checked_at: string;
  readonly passed: boolean;
  readonly rollouts: number;
  /** Control steps that are equal within the tolerance, and the others, where rounding errors explain the difference. */
  readonly compared_steps: number;
  readonly chaotic_steps: number;
  /** Largest error at the compared steps; null if a position was missing or not finite. */
  readonly max_qpos_error: number | null;
  /** Share of the rollouts whose outcome is that of the original. */
  readonly success_agreement: number;
}

/** A frozen world whose parity was never checked. */
export interface UncheckedParity extends WorldOnEngine {
  readonly passed: null;
}

interface WorldOnEngine {
  readonly world: string;
  /** Checksum of the world's description, which has those of its other files except the episodes. */
  readonly world_sha256: string;
  /** Versions of MuJoCo that the world was frozen with and is played on. */
  readonly frozen_engine: string;
  readonly engine: string;
}

/** How a run belongs to a duel. */
export interface RunDuel {
  readonly id: string;
  /** The other agents. */
  readonly against: readonly string[];
  /** The metric that decides; absent if it is each task's primary metric. */
  readonly metric?: string;
}

/** Number and checksum of a set of episodes. */
export interface DataDigest {
  readonly episodes: number;
  /** Episodes of the dataset, if a limit or filter selected fewer of them. Unknown for the first n. */
  readonly of?: number;
  /** SHA-256 of the episodes' sorted SHA-256 sums, so that it does not depend on the file's order and layout. */
  readonly sha256: string;
}

export interface Resumption {
  readonly at: string;
  /** Episodes that were finished by then. */
  readonly done: number;
  readonly agent: string;
  readonly versions: Readonly<Record<string, string>>;
}

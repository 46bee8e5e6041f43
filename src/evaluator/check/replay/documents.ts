/**
 * The reports of `replayRun` and `auditRun`, with the keys of their JSON documents.
 */

/** The first difference between a recorded episode and its repetition. */
export interface Difference {
  readonly episode_key: string;
  readonly repeat: number;
  /** Step of the trajectory; null if the field belongs to the line in episodes.jsonl. */
  readonly step: number | null;
  /** `state.position[0]`, `metrics.spl`, ...; for `trajectory`, `why` has the reason. */
  readonly field: string;
  /** Null if absent. */
  readonly recorded: unknown;
  readonly now: unknown;
  /** The reason if a file is damaged, or if an audited episode could not run. */
  readonly why?: string;
}

export interface Skipped {
  readonly episode_key: string;
  readonly repeat: number;
  readonly why: string;
}

export interface ReplayReport {
  readonly format: "robot-eval-replay/1";
  readonly run_id: string;
  /** Number of selected lines of episodes.jsonl. */
  readonly total: number;
  /** Episodes simulated to their end or found damaged. */
  readonly replayed: number;
  readonly equal: number;
  readonly different: readonly Difference[];
  /** Episodes that could not be simulated, for instance because their scene is missing. */
  readonly errors: readonly Skipped[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
  /** Interrupted before the last episode. */
  readonly interrupted?: true;
}

export interface AuditReport {
  readonly format: "robot-eval-audit/1";
  readonly run_id: string;
  readonly agent: string;
  /** Seed of the sample. */
  readonly seed: number;
  readonly initial_only: boolean;
  /** Valid episodes of the run. */
  readonly total: number;
  readonly audited: number;
  /** Episodes equal to the record in all compared fields. */
  readonly equal: number;
  /** Errors: another initial state, or another result of an agent that must repeat its actions. */
  readonly broken: readonly Difference[];
  /** Allowed differences: the agent need not repeat its actions. */
  readonly otherwise: readonly Difference[];
  /** Share of the audited episodes that succeed, recorded and now; null with `initial_only`. */
  readonly success: { readonly recorded: number; readonly now: number } | null;
  readonly warnings: readonly string[];
  readonly interrupted?: true;
}

/** Progress of a replay or an audit. */
export interface CheckProgress {
  readonly done: number;
  readonly total: number;
  readonly different: number;
  readonly errors?: number;
}

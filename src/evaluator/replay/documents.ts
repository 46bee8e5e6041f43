/**
 * What `replayRun` and `auditRun` found. Keys are those of the JSON documents.
 */

/** Where a recorded episode and what happens now part for the first time. */
export interface Difference {
  readonly episode_key: string;
  readonly repeat: number;
  /** Of the trajectory; null where the field is one of the line in episodes.jsonl, or of no step. */
  readonly step: number | null;
  /** `state.position[0]`, `metrics.spl`, ...; `trajectory` and `error` say the rest in `why`. */
  readonly field: string;
  /** Null where there is nothing. */
  readonly recorded: unknown;
  readonly now: unknown;
  /** A damaged file, or what kept the episode from being run at all. */
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
  /** Lines of episodes.jsonl that were asked for. */
  readonly total: number;
  /** Simulated again, or found damaged. */
  readonly replayed: number;
  readonly equal: number;
  readonly different: readonly Difference[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
  /** It was stopped before the last episode. */
  readonly interrupted?: true;
}

export interface AuditReport {
  readonly format: "robot-eval-audit/1";
  readonly run_id: string;
  readonly agent: string;
  /** Of the draw. */
  readonly seed: number;
  readonly initial_only: boolean;
  /** Episodes of the run that count. */
  readonly total: number;
  readonly audited: number;
  /** As recorded in everything that was looked at. */
  readonly equal: number;
  /** What must not be: another initial state, or another result of an agent that draws no chance of its own. */
  readonly broken: readonly Difference[];
  /** Results that differ where that may be, since the policy decides anew each time. */
  readonly otherwise: readonly Difference[];
  /** Share of the audited episodes that succeed, recorded and now; null with `initial_only`. */
  readonly success: { readonly recorded: number; readonly now: number } | null;
  readonly warnings: readonly string[];
  readonly interrupted?: true;
}

/** How far it is. */
export interface CheckProgress {
  readonly done: number;
  readonly total: number;
  readonly different: number;
}

import type { RunSummary } from "../../../core/interfaces/result.js";

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly affiliation: string;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
}

export interface IssuedToken {
  readonly id: string;
  readonly token: string;
}

export interface TokenInfo {
  readonly id: string;
  readonly label: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export type SubmissionState =
  | "waiting_for_agent"
  | "queued"
  | "running"
  | "done"
  | "failed"
  | "cancelled";

export interface Submission {
  readonly id: string;
  readonly teamId: string;
  readonly teamName: string;
  readonly phase: string;
  /** Chosen by the team; may be empty. */
  readonly name: string;
  readonly state: SubmissionState;
  readonly counted: boolean;
  /** Why it failed or was cancelled, in words for the team. */
  readonly reason: string | null;
  readonly episodes: { readonly done: number; readonly total: number | null };
  /** The run directory. For the server only: it contains the hidden episodes. */
  readonly runDir: string | null;
  readonly createdAt: Date;
  readonly queuedAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface NewSubmission {
  readonly teamId: string;
  readonly phase: string;
  readonly name?: string;
  /** The phase's `max_submissions`. */
  readonly most: { readonly total: number; readonly per_day: number };
}

export interface SubmissionFilter {
  readonly teamId?: string | undefined;
  readonly phase?: string | undefined;
  readonly states?: readonly SubmissionState[] | undefined;
  /** Default 200. */
  readonly limit?: number | undefined;
}

export interface SubmissionChange {
  readonly reason?: string | null;
  readonly counted?: boolean;
  readonly runDir?: string;
}

export interface Usage {
  readonly total: number;
  /** Since midnight UTC. */
  readonly today: number;
  /** When the daily count restarts. */
  readonly resetsAt: Date;
}

export interface NewResult {
  /** True if every episode was judged; only complete results are ranked. */
  readonly complete: boolean;
  readonly summary: RunSummary;
  readonly state: "done" | "failed";
  readonly reason: string | null;
  readonly runDir: string | null;
}

/**
 * `summary` is the run's whole summary.json. Teams may only see the phase's `metrics` in `aggregated_metrics` and the
 * counts in `episodes`: `invalid_episodes` and `broken_off_episodes` name hidden episodes.
 */
export interface SubmissionResult {
  readonly submissionId: string;
  readonly complete: boolean;
  readonly summary: RunSummary;
  readonly at: Date;
}

export interface RankedResult extends SubmissionResult {
  readonly submission: Submission;
}

export const AUDIT_EVENTS = [
  "server_started",
  "server_stopped",
  "connected",
  "refused",
  "disconnected",
  "limit_hit",
  "bad_message",
  "submission_opened",
  "submission_waiting",
  "submission_queued",
  "submission_started",
  "submission_retried",
  "submission_finished",
  "submission_cancelled",
  "admin",
  "http_refused",
] as const;
export type AuditEvent = (typeof AUDIT_EVENTS)[number];

export interface AuditEntry {
  readonly event: AuditEvent;
  /** `team:<name>`, `admin:<user>`, `server`, or `anonymous`. */
  readonly actor: string;
  readonly teamId?: string | undefined;
  readonly submissionId?: string | undefined;
  readonly remote?: string | undefined;
  /** Must contain no secrets. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export interface AuditRecord extends AuditEntry {
  readonly id: number;
  readonly at: Date;
}

export interface AuditFilter {
  readonly teamId?: string | undefined;
  readonly submissionId?: string | undefined;
  readonly event?: AuditEvent | undefined;
  /** Only records before this id, for paging. */
  readonly before?: number | undefined;
  /** Default 200. */
  readonly limit?: number | undefined;
}

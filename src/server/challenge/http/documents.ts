import type { IntervalMethod } from "../../../core/interfaces/result.js";
import type { MetricComparison } from "../../../runs/compare/documents.js";
import type { SubmissionState } from "../store/store.js";

/**
 * All documents that the challenge server sends over HTTP. None contains data of a single episode.
 *
 *   GET /api/challenge.json                   ChallengeDocument
 *   GET /api/phases/<phase>/leaderboard.json  LeaderboardDocument
 *   GET /api/team.json                        TeamDocument, of the team whose token is sent
 *   GET /api/submissions/<id>.json            SubmissionDocument, of that team's own
 *   POST /api/submissions                     opens one: { phase, name? }; SubmissionDocument
 *   POST /api/submissions/<id>/cancel         SubmissionDocument
 *   GET /api/live                             server-sent events: LiveEvent
 *   GET /api/admin/audit.json                 AuditDocument, with the administrator's token
 *   GET /healthz, /readyz, /metrics           for monitors
 *
 * Errors are a Problem with status 400, 401, 403, 404, 413, 429 or 500.
 */

type PhaseState = "before" | "open" | "closed";

export interface PhaseDocument {
  readonly name: string;
  readonly description: string;
  readonly state: PhaseState;
  /** ISO 8601; null if the phase has no such limit. */
  readonly opens: string | null;
  readonly closes: string | null;
  /** True if only observations leave the server. */
  readonly hidden: boolean;
  readonly metrics: readonly string[];
  /** The metric by which the leaderboard is sorted. */
  readonly leaderboard: string;
  readonly max_submissions: { readonly total: number; readonly per_day: number };
}

export interface ChallengeDocument {
  readonly format: "robot-eval-challenge/1";
  readonly name: string;
  readonly description: string;
  readonly phases: readonly PhaseDocument[];
}

/** A metric over all episodes of a submission. */
export interface Score {
  readonly mean: number | null;
  readonly ci95: readonly [low: number, high: number] | null;
  readonly ci_method: IntervalMethod;
  readonly n: number;
  readonly n_invalid: number;
  readonly unit: string;
  readonly direction: "higher" | "lower" | "none";
}

export type Scores = Readonly<Record<string, Score>>;

/** How a row compares with the one above it, on the episodes that both were judged on. */
export interface Comparison {
  readonly n: number;
  readonly test: MetricComparison["test"] | "stratified_t";
  /** Adjusted (Holm) for all rows of the table; null if no test was possible. */
  readonly p_holm: number | null;
  readonly distinguishable: boolean;
}

export interface LeaderboardRow {
  /** Teams with equal scores share a rank, and the next rank is skipped: 1, 1, 3. */
  readonly rank: number;
  readonly tied: boolean;
  readonly team: string;
  readonly affiliation: string;
  /** Name that the team gave the submission. */
  readonly submission: string;
  /** What the team's policy declares that it is; empty if it declares nothing. */
  readonly policy: string;
  readonly submitted_at: string;
  /** The team's completed submissions in this phase, of which this row is the best. */
  readonly attempts: number;
  readonly scores: Scores;
  readonly above: Comparison | null;
}

export interface LeaderboardDocument {
  readonly format: "robot-eval-leaderboard/1";
  readonly challenge: string;
  readonly phase: PhaseDocument;
  /** Number of tests for which the p-values are adjusted. */
  readonly tests: number;
  readonly rows: readonly LeaderboardRow[];
}

export interface SubmissionDocument {
  readonly id: string;
  readonly phase: string;
  readonly name: string;
  readonly state: SubmissionState;
  /** True if it counts against the team's quota. */
  readonly counted: boolean;
  readonly reason: string | null;
  readonly episodes_done: number;
  readonly episodes_total: number | null;
  readonly created_at: string;
  readonly finished_at: string | null;
  /** Null until all episodes have ended. */
  readonly scores: Scores | null;
}

export interface QuotaDocument {
  readonly phase: string;
  readonly used: number;
  readonly total: number;
  readonly used_today: number;
  readonly per_day: number;
}

export interface TeamDocument {
  readonly format: "robot-eval-team/1";
  readonly team: string;
  readonly affiliation: string;
  readonly quotas: readonly QuotaDocument[];
  /** Newest first. */
  readonly submissions: readonly SubmissionDocument[];
}

/** A change: the phase whose leaderboard must be read again, or the new state of the team's own submission. */
export type LiveEvent =
  | { readonly type: "leaderboard"; readonly phase: string }
  | { readonly type: "submission"; readonly submission: SubmissionDocument };

export interface AuditDocument {
  readonly format: "robot-eval-audit/1";
  /** Newest first. */
  readonly entries: readonly AuditLine[];
  /** Value of `before` for the next page; null at the end. */
  readonly next: number | null;
}

export interface AuditLine {
  readonly id: number;
  readonly at: string;
  readonly event: string;
  readonly actor: string;
  readonly team_id: string | null;
  readonly submission_id: string | null;
  readonly remote: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

import type { IntervalMethod } from "../../../core/interfaces/result.js";
import type { MetricComparison } from "../../../runs/compare/documents.js";
import type { SubmissionState } from "../store.js";

/**
 * What the challenge server tells over HTTP, and nothing else. Nothing in here is of a single episode.
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
 * What goes wrong is a Problem with status 400, 401, 403, 404, 413, 429 or 500.
 */

type PhaseState = "before" | "open" | "closed";

export interface PhaseDocument {
  readonly name: string;
  readonly description: string;
  readonly state: PhaseState;
  /** ISO 8601; null where the phase has no such limit. */
  readonly opens: string | null;
  readonly closes: string | null;
  /** Whether nothing but observations leaves the server. */
  readonly hidden: boolean;
  readonly metrics: readonly string[];
  /** The one of them that the leaderboard is sorted by. */
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
  /** Adjusted (Holm) for all neighbours of the table; null where no test could be made. */
  readonly p_holm: number | null;
  readonly distinguishable: boolean;
}

export interface LeaderboardRow {
  /** Teams with the same number have the same rank, and the next one is counted on: 1, 1, 3. */
  readonly rank: number;
  readonly tied: boolean;
  readonly team: string;
  readonly affiliation: string;
  /** What the team called this submission. */
  readonly submission: string;
  readonly submitted_at: string;
  /** Completed submissions of the team in this phase: this row is the best of so many. */
  readonly attempts: number;
  readonly scores: Scores;
  readonly above: Comparison | null;
}

export interface LeaderboardDocument {
  readonly format: "robot-eval-leaderboard/1";
  readonly challenge: string;
  readonly phase: PhaseDocument;
  /** How many neighbours were tested, which is what the p-values are adjusted for. */
  readonly tests: number;
  readonly rows: readonly LeaderboardRow[];
}

export interface SubmissionDocument {
  readonly id: string;
  readonly phase: string;
  readonly name: string;
  readonly state: SubmissionState;
  /** Whether it uses up one of the team's tries. */
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

/** Something to read again: a phase's leaderboard, or the whole submission where it is the team's own. */
export type LiveEvent =
  | { readonly type: "leaderboard"; readonly phase: string }
  | { readonly type: "submission"; readonly submission: SubmissionDocument };

export interface AuditDocument {
  readonly format: "robot-eval-audit/1";
  /** Newest first. */
  readonly entries: readonly AuditLine[];
  /** Give it as `before` to read on; null at the end. */
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

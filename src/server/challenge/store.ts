import type { RunSummary } from "../../core/interfaces/result.js";

/** What the challenge server remembers. Every method that takes a team's id sees nothing of other teams. */
export interface ChallengeStore {
  createTeam(team: { readonly name: string; readonly affiliation?: string }): Promise<Team>;
  /** By id or by name. */
  team(idOrName: string): Promise<Team | undefined>;
  /** By name. */
  teams(): Promise<readonly Team[]>;
  /** A disabled team's tokens open nothing. */
  setDisabled(teamId: string, disabled: boolean): Promise<void>;

  /** The token is told this once: only its hash is kept. */
  issueToken(
    teamId: string,
    options?: { readonly label?: string; readonly expiresAt?: Date },
  ): Promise<IssuedToken>;
  tokens(teamId: string): Promise<readonly TokenInfo[]>;
  /** Whether there was one that was valid. */
  revokeToken(tokenId: string): Promise<boolean>;
  /** Of these, the ones that open nothing any more since they were revoked or their team was disabled. */
  closedTokens(tokenIds: readonly string[]): Promise<readonly string[]>;
  /** Whose token it is; undefined for a wrong, expired or revoked one, and for a disabled team's. */
  authenticate(token: string): Promise<Team | undefined>;

  /** A submission that waits for its agent. Counts at once, so that many at a time get past no limit. @throws QuotaError */
  openSubmission(submission: NewSubmission): Promise<Submission>;
  submission(id: string): Promise<Submission | undefined>;
  /** The newest first. */
  submissions(which?: SubmissionFilter): Promise<readonly Submission[]>;
  /** What of its allowance a team has used in a phase. */
  usage(teamId: string, phase: string): Promise<Usage>;
  /** Changes the state if it is one of `from`. Undefined where it was not: somebody else was quicker. */
  transition(
    id: string,
    from: readonly SubmissionState[],
    to: SubmissionState,
    change?: SubmissionChange,
  ): Promise<Submission | undefined>;
  setProgress(id: string, done: number, total: number): Promise<void>;
  /** Whether it counts against its team's allowance; an organiser gives one back after a fault of the server's. */
  setCounted(id: string, counted: boolean): Promise<void>;

  /** Once for each submission, with its change of state: both, or neither. False where it was over already. */
  recordResult(id: string, result: NewResult): Promise<boolean>;
  result(submissionId: string): Promise<SubmissionResult | undefined>;
  /** Of all submissions of a phase that are done and complete, and whose team is not disabled. */
  completeResults(phase: string): Promise<readonly RankedResult[]>;

  audit(entry: AuditEntry): Promise<void>;
  /** The newest first. */
  auditLog(which?: AuditFilter): Promise<readonly AuditRecord[]>;

  /** Random bytes that outlive the process; made when first asked for. */
  secret(name: string): Promise<Buffer>;
  /** Whether the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

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
  /** What the team calls it; may be empty. */
  readonly name: string;
  readonly state: SubmissionState;
  readonly counted: boolean;
  /** Why it failed or was cancelled: a sentence that its team may read. */
  readonly reason: string | null;
  readonly episodes: { readonly done: number; readonly total: number | null };
  /** The run directory. Inside the server only: it holds everything that is hidden. */
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
  /** 200 if absent. */
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
  /** When the first of tomorrow's may come. */
  readonly resetsAt: Date;
}

export interface NewResult {
  /** Every episode was judged: only such a result is ranked. */
  readonly complete: boolean;
  readonly summary: RunSummary;
  readonly state: "done" | "failed";
  readonly reason: string | null;
  readonly runDir: string | null;
}

/**
 * `summary` is the run's whole summary.json. Of it, teams may see the phase's `metrics` out of
 * `aggregated_metrics` and the numbers of `episodes`; `invalid_episodes` and `broken_off_episodes` name hidden ones.
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
  /** No secrets: the log is read by people. */
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
  /** Those before this id, to page on. */
  readonly before?: number | undefined;
  /** 200 if absent. */
  readonly limit?: number | undefined;
}

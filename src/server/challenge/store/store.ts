import type { RunSummary } from "../../../core/interfaces/result.js";

/** Storage of the challenge server. Methods that take a team's id return nothing of other teams. */
export interface ChallengeStore {
  createTeam(team: { readonly name: string; readonly affiliation?: string }): Promise<Team>;
  /** By id or by name. */
  team(idOrName: string): Promise<Team | undefined>;
  /** By name. */
  teams(): Promise<readonly Team[]>;
  /** Tokens of a disabled team are invalid. */
  setDisabled(teamId: string, disabled: boolean): Promise<void>;

  /** Returns the token once; only its hash is stored. */
  issueToken(
    teamId: string,
    options?: { readonly label?: string; readonly expiresAt?: Date },
  ): Promise<IssuedToken>;
  tokens(teamId: string): Promise<readonly TokenInfo[]>;
  /** True if the token existed and was valid. */
  revokeToken(tokenId: string): Promise<boolean>;
  /** Those of the given tokens that were revoked or whose team was disabled. */
  closedTokens(tokenIds: readonly string[]): Promise<readonly string[]>;
  /** The token's team; undefined if the token is unknown, expired or revoked, or the team is disabled. */
  authenticate(token: string): Promise<Team | undefined>;

  /** Opens a submission, which counts at once: concurrent requests cannot exceed the limit. @throws QuotaError */
  openSubmission(submission: NewSubmission): Promise<Submission>;
  submission(id: string): Promise<Submission | undefined>;
  /** Newest first. */
  submissions(which?: SubmissionFilter): Promise<readonly Submission[]>;
  /** A team's submissions in a phase that count. */
  usage(teamId: string, phase: string): Promise<Usage>;
  /** Changes the state if it is one of `from`; undefined if it is not. */
  transition(
    id: string,
    from: readonly SubmissionState[],
    to: SubmissionState,
    change?: SubmissionChange,
  ): Promise<Submission | undefined>;
  setProgress(id: string, done: number, total: number): Promise<void>;
  /** Sets whether a submission counts; organisers uncount one after a server fault. */
  setCounted(id: string, counted: boolean): Promise<void>;

  /** Records the result and the new state in one transaction; false if the submission was already over. */
  recordResult(id: string, result: NewResult): Promise<boolean>;
  result(submissionId: string): Promise<SubmissionResult | undefined>;
  /** Results of a phase's complete submissions, without disabled teams. */
  completeResults(phase: string): Promise<readonly RankedResult[]>;

  audit(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  auditLog(which?: AuditFilter): Promise<readonly AuditRecord[]>;

  /** Persistent random bytes, made at first use. */
  secret(name: string): Promise<Buffer>;
  /** @throws if the database does not answer */
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

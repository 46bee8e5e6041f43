import type { AuditEvent, AuditRecord, Submission, SubmissionState, Team } from "./store.js";

export interface TeamRow {
  readonly id: string;
  readonly name: string;
  readonly affiliation: string;
  readonly created_at: Date;
  readonly disabled_at: Date | null;
}

export interface SubmissionRow {
  readonly id: string;
  readonly team_id: string;
  readonly team_name: string;
  readonly phase: string;
  readonly name: string;
  readonly state: SubmissionState;
  readonly counted: boolean;
  readonly reason: string | null;
  readonly episodes_total: number | null;
  readonly episodes_done: number;
  readonly run_dir: string | null;
  readonly created_at: Date;
  readonly queued_at: Date | null;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

export interface AuditRow {
  /** A bigint, which the driver returns as text. */
  readonly id: string;
  readonly at: Date;
  readonly event: AuditEvent;
  readonly actor: string;
  readonly team_id: string | null;
  readonly submission_id: string | null;
  readonly remote: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

export function teamOf({ id, name, affiliation, created_at, disabled_at }: TeamRow): Team {
  return { id, name, affiliation, createdAt: created_at, disabledAt: disabled_at };
}

export function submissionOf(row: SubmissionRow): Submission {
  return {
    id: row.id,
    teamId: row.team_id,
    teamName: row.team_name,
    phase: row.phase,
    name: row.name,
    state: row.state,
    counted: row.counted,
    reason: row.reason,
    episodes: { done: row.episodes_done, total: row.episodes_total },
    runDir: row.run_dir,
    createdAt: row.created_at,
    queuedAt: row.queued_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

export function auditRecord(row: AuditRow): AuditRecord {
  return {
    id: Number(row.id),
    at: row.at,
    event: row.event,
    actor: row.actor,
    teamId: row.team_id ?? undefined,
    submissionId: row.submission_id ?? undefined,
    remote: row.remote ?? undefined,
    details: row.details,
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Checked before queries: a text that is not a UUID makes a statement fail instead of finding nothing. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

export function only<T>(rows: readonly T[]): T {
  const [first] = rows;
  if (first === undefined) throw new Error("the statement returned no row");
  return first;
}

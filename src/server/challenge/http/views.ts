import type { RunSummary } from "../../../core/interfaces/result.js";
import { phaseState } from "../config.js";
import type { LoadedChallenge, LoadedPhase } from "../load.js";
import type { AuditRecord, Submission, SubmissionResult } from "../store/store.js";
import type {
  AuditLine,
  ChallengeDocument,
  PhaseDocument,
  Scores,
  SubmissionDocument,
} from "./documents.js";

/** Public documents of records. Fields are an allowlist, so that a new field of a record stays private. */

export function phaseDocument({ config }: LoadedPhase, now: Date): PhaseDocument {
  const { name, description, opens, closes, hidden, metrics, leaderboard, max_submissions } =
    config;
  return {
    ...{ name, description, hidden, metrics, leaderboard, max_submissions },
    state: phaseState(config, now),
    opens: opens ?? null,
    closes: closes ?? null,
  };
}

export function challengeDocument(loaded: LoadedChallenge, now: Date): ChallengeDocument {
  const { name, description } = loaded.config;
  return {
    format: "robot-eval-challenge/1",
    ...{ name, description },
    phases: loaded.phases.map((phase) => phaseDocument(phase, now)),
  };
}

/** Leaves out minimum and maximum: each is the value of a single episode. */
export function scoresOf({ aggregated_metrics }: RunSummary, metrics: readonly string[]): Scores {
  const shown = metrics.flatMap((metric) => {
    const summary = aggregated_metrics[metric];
    if (!summary) return [];
    const { mean, ci95, ci_method, count, n_invalid, unit, direction } = summary;
    return [[metric, { mean, ci95, ci_method, n: count, n_invalid, unit, direction }] as const];
  });
  return Object.fromEntries(shown);
}

export function submissionDocument(
  submission: Submission,
  result: SubmissionResult | undefined,
  metrics: readonly string[],
): SubmissionDocument {
  const { id, phase, name, state, counted, reason, episodes, createdAt, finishedAt } = submission;
  return {
    ...{ id, phase, name, state, counted, reason },
    episodes_done: episodes.done,
    episodes_total: episodes.total,
    created_at: createdAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
    // Partial scores would reveal the results of single episodes.
    scores: state === "done" && result?.complete ? scoresOf(result.summary, metrics) : null,
  };
}

export function auditLine(record: AuditRecord): AuditLine {
  const { id, at, event, actor, teamId, submissionId, remote, details } = record;
  return {
    ...{ id, event, actor },
    at: at.toISOString(),
    team_id: teamId ?? null,
    submission_id: submissionId ?? null,
    remote: remote ?? null,
    details: details ?? {},
  };
}

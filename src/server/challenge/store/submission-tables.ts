import type { Queries } from "../../../cluster/database/connect.js";
import { jsonText } from "../../../cluster/database/json.js";
import { QuotaError } from "../errors.js";
import { isId, only, type SubmissionRow, submissionOf } from "./rows.js";
import type {
  NewResult,
  NewSubmission,
  RankedResult,
  Submission,
  SubmissionChange,
  SubmissionFilter,
  SubmissionResult,
  SubmissionState,
  Usage,
} from "./store.js";
import { TeamTables } from "./team-tables.js";

const DEFAULT_LIMIT = 200;

const SUBMISSION = `s.*, t.name AS team_name FROM robot_eval.challenge_submissions s
  JOIN robot_eval.challenge_teams t ON t.id = s.team_id`;

/** Submissions and their results. */
export class SubmissionTables extends TeamTables {
  /** Opens a submission, which counts at once: concurrent requests cannot exceed the limit. @throws QuotaError */
  openSubmission({ teamId, phase, name = "", most }: NewSubmission): Promise<Submission> {
    return this.database.transaction(async (transaction) => {
      // Serialises the requests of one team, so that two at a time cannot both use its last attempt.
      await transaction.query("SELECT 1 FROM robot_eval.challenge_teams WHERE id = $1 FOR UPDATE", [
        teamId,
      ]);
      const usage = await usageOf(transaction, teamId, phase);
      if (usage.total >= most.total) throw usedUp(`all ${most.total} submissions to ${phase}`);
      if (usage.today >= most.per_day) {
        const hint = `the next submission is possible at ${usage.resetsAt.toISOString()}`;
        throw usedUp(`the ${most.per_day} submissions a day to ${phase}`, hint);
      }
      const { rows } = await transaction.query<{ id: string }>(
        `INSERT INTO robot_eval.challenge_submissions (team_id, phase, name, state)
         VALUES ($1, $2, $3, 'waiting_for_agent') RETURNING id`,
        [teamId, phase, name],
      );
      const found = await submissionIn(transaction, only(rows).id);
      if (!found) throw new Error("the submission that was just inserted does not exist");
      return found;
    });
  }

  async submission(id: string): Promise<Submission | undefined> {
    return isId(id) ? submissionIn(this.database, id) : undefined;
  }

  /** Newest first. */
  async submissions(which: SubmissionFilter = {}): Promise<readonly Submission[]> {
    const { rows } = await this.database.query<SubmissionRow>(
      `SELECT ${SUBMISSION}
       WHERE ($1::uuid IS NULL OR s.team_id = $1) AND ($2::text IS NULL OR s.phase = $2)
         AND ($3::text[] IS NULL OR s.state = ANY($3))
       ORDER BY s.created_at DESC, s.id LIMIT $4`,
      [
        which.teamId ?? null,
        which.phase ?? null,
        which.states ?? null,
        which.limit ?? DEFAULT_LIMIT,
      ],
    );
    return rows.map(submissionOf);
  }

  /** A team's submissions in a phase that count. */
  usage(teamId: string, phase: string): Promise<Usage> {
    return usageOf(this.database, teamId, phase);
  }

  /** Changes the state if it is one of `from`; undefined if it is not. */
  transition(
    id: string,
    from: readonly SubmissionState[],
    to: SubmissionState,
    change: SubmissionChange = {},
  ): Promise<Submission | undefined> {
    return changeState(this.database, id, from, to, change);
  }

  async setProgress(id: string, done: number, total: number): Promise<void> {
    await this.database.query(
      `UPDATE robot_eval.challenge_submissions SET episodes_done = greatest(episodes_done, $2), episodes_total = $3
       WHERE id = $1`,
      [id, done, total],
    );
  }

  /** Sets whether a submission counts; organisers uncount one after a server fault. */
  async setCounted(id: string, counted: boolean): Promise<void> {
    await this.database.query(
      "UPDATE robot_eval.challenge_submissions SET counted = $2 WHERE id = $1",
      [id, counted],
    );
  }

  /** Records the result and the new state in one transaction; false if the submission was already over. */
  async recordResult(id: string, result: NewResult): Promise<boolean> {
    const { state, reason, runDir, complete, summary } = result;
    return this.database.transaction(async (transaction) => {
      const change = { reason, ...(runDir === null ? {} : { runDir }) };
      // A submission that was cancelled in the meantime stays cancelled, without a result.
      if (!(await changeState(transaction, id, ["running"], state, change))) return false;
      await transaction.query(
        `INSERT INTO robot_eval.challenge_results (submission_id, complete, summary)
         VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
        [id, complete, jsonText(summary)],
      );
      return true;
    });
  }

  async result(submissionId: string): Promise<SubmissionResult | undefined> {
    if (!isId(submissionId)) return undefined;
    const { rows } = await this.database.query<SubmissionResult>(
      `SELECT submission_id AS "submissionId", complete, summary, at
       FROM robot_eval.challenge_results WHERE submission_id = $1`,
      [submissionId],
    );
    return rows[0];
  }

  /** Results of a phase's complete submissions, without disabled teams. */
  async completeResults(phase: string): Promise<readonly RankedResult[]> {
    const { rows } = await this.database.query<
      SubmissionRow & Pick<SubmissionResult, "summary" | "at">
    >(
      `SELECT r.summary, r.at, ${SUBMISSION}
         JOIN robot_eval.challenge_results r ON r.submission_id = s.id
       WHERE s.phase = $1 AND s.state = 'done' AND r.complete AND t.disabled_at IS NULL
       ORDER BY r.at`,
      [phase],
    );
    return rows.map((row) => ({
      submissionId: row.id,
      complete: true,
      summary: row.summary,
      at: row.at,
      submission: submissionOf(row),
    }));
  }
}

async function submissionIn(queries: Queries, id: string): Promise<Submission | undefined> {
  const { rows } = await queries.query<SubmissionRow>(`SELECT ${SUBMISSION} WHERE s.id = $1`, [id]);
  return rows[0] && submissionOf(rows[0]);
}

async function usageOf(queries: Queries, teamId: string, phase: string): Promise<Usage> {
  const { rows } = await queries.query<{ total: string; today: string; resets: Date }>(
    `SELECT count(*) AS total,
       count(*) FILTER (WHERE created_at >= date_trunc('day', now(), 'UTC')) AS today,
       date_trunc('day', now(), 'UTC') + interval '1 day' AS resets
     FROM robot_eval.challenge_submissions WHERE team_id = $1 AND phase = $2 AND counted`,
    [teamId, phase],
  );
  const { total, today, resets } = only(rows);
  return { total: Number(total), today: Number(today), resetsAt: resets };
}

async function changeState(
  queries: Queries,
  id: string,
  from: readonly SubmissionState[],
  to: SubmissionState,
  { reason, counted, runDir }: SubmissionChange,
): Promise<Submission | undefined> {
  const { rowCount } = await queries.query(
    `UPDATE robot_eval.challenge_submissions SET state = $3,
       reason = CASE WHEN $4 THEN $5 ELSE reason END,
       counted = coalesce($6, counted), run_dir = coalesce($7, run_dir),
       queued_at = CASE WHEN $3 = 'queued' THEN now() ELSE queued_at END,
       started_at = CASE WHEN $3 = 'running' THEN now() ELSE started_at END,
       finished_at = CASE WHEN $3 IN ('done', 'failed', 'cancelled') THEN now() END
     WHERE id = $1 AND state = ANY($2)`,
    [id, from, to, reason !== undefined, reason ?? null, counted ?? null, runDir ?? null],
  );
  return rowCount === 1 ? submissionIn(queries, id) : undefined;
}

function usedUp(what: string, hint?: string): QuotaError {
  return new QuotaError("quota", `the team has used ${what}`, { hint });
}

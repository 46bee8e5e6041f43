import { randomBytes } from "node:crypto";
import { openDatabase } from "../../../cluster/database/connect.js";
import { jsonText } from "../../../cluster/database/json.js";
import { migrate } from "../../../cluster/database/migrate.js";
import { cleanStrings, cleanText } from "../../../core/text.js";
import { type AuditRow, auditRecord, only } from "./rows.js";
import type { AuditEntry, AuditFilter, AuditRecord } from "./store.js";
import { SubmissionTables } from "./submission-tables.js";

const CONNECTIONS = 8;
const DEFAULT_LIMIT = 200;
const SECRET_BYTES = 32;
/** Maximum length of each text in an audit entry. */
const MOST_AUDITED = 1000;

/** Connects and brings the schema up to date. */
export async function openChallengeStore(url: string): Promise<ChallengeStore> {
  const database = await openDatabase(url, {
    connections: CONNECTIONS,
    name: "robot-eval challenge",
  });
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return new ChallengeStore(database);
}

/**
 * Storage of the challenge server: adds the audit log and secrets to the tables of teams and submissions. Methods that
 * take a team's id return nothing of other teams.
 */
export class ChallengeStore extends SubmissionTables {
  async audit({ event, actor, teamId, submissionId, remote, details }: AuditEntry): Promise<void> {
    await this.database.query(
      `INSERT INTO robot_eval.challenge_audit (event, actor, team_id, submission_id, remote, details)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [
        event,
        cleanText(actor, MOST_AUDITED),
        teamId ?? null,
        submissionId ?? null,
        remote === undefined ? null : cleanText(remote, MOST_AUDITED),
        // Clients choose some of these texts; none may keep its entry out of the log.
        jsonText(cleanStrings(details ?? {}, MOST_AUDITED)),
      ],
    );
  }

  /** Newest first. */
  async auditLog(which: AuditFilter = {}): Promise<readonly AuditRecord[]> {
    const { rows } = await this.database.query<AuditRow>(
      `SELECT * FROM robot_eval.challenge_audit
       WHERE ($1::uuid IS NULL OR team_id = $1) AND ($2::uuid IS NULL OR submission_id = $2)
         AND ($3::text IS NULL OR event = $3) AND ($4::bigint IS NULL OR id < $4)
       ORDER BY id DESC LIMIT $5`,
      [
        which.teamId ?? null,
        which.submissionId ?? null,
        which.event ?? null,
        which.before ?? null,
        which.limit ?? DEFAULT_LIMIT,
      ],
    );
    return rows.map(auditRecord);
  }

  /** Persistent random bytes, made at first use. */
  async secret(name: string): Promise<Buffer> {
    await this.database.query(
      `INSERT INTO robot_eval.challenge_secrets (name, secret) VALUES ($1, $2)
       ON CONFLICT DO NOTHING`,
      [name, randomBytes(SECRET_BYTES)],
    );
    const { rows } = await this.database.query<{ secret: Buffer }>(
      "SELECT secret FROM robot_eval.challenge_secrets WHERE name = $1",
      [name],
    );
    return only(rows).secret;
  }

  /** @throws if the database does not answer */
  async ping(): Promise<void> {
    await this.database.query("SELECT 1");
  }

  close(): Promise<void> {
    return this.database.close();
  }
}

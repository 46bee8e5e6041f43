import type { Database } from "../../../cluster/database/connect.js";
import { errorCode } from "../../../core/errors.js";
import { ChallengeError } from "../errors.js";
import { hashOf, newToken, sameHash, tokenId } from "../gateway/tokens.js";
import { isId, only, type TeamRow, teamOf } from "./rows.js";
import type { IssuedToken, Team, TokenInfo } from "./store.js";

const UNIQUE_VIOLATION = "23505";

/** Teams and their tokens. */
export class TeamTables {
  constructor(protected readonly database: Database) {}

  async createTeam({ name, affiliation = "" }: { name: string; affiliation?: string }) {
    try {
      const { rows } = await this.database.query<TeamRow>(
        "INSERT INTO robot_eval.challenge_teams (name, affiliation) VALUES ($1, $2) RETURNING *",
        [name, affiliation],
      );
      return teamOf(only(rows));
    } catch (error) {
      if (errorCode(error) !== UNIQUE_VIOLATION) throw error;
      throw new ChallengeError("team_exists", `the team "${name}" already exists`, {
        hint: "choose another name",
        cause: error,
      });
    }
  }

  /** Finds a team by its id or its name. */
  async team(idOrName: string): Promise<Team | undefined> {
    const column = isId(idOrName) ? "id" : "name";
    const { rows } = await this.database.query<TeamRow>(
      `SELECT * FROM robot_eval.challenge_teams WHERE ${column} = $1`,
      [idOrName],
    );
    return rows[0] && teamOf(rows[0]);
  }

  /** All teams, sorted by name. */
  async teams(): Promise<readonly Team[]> {
    const { rows } = await this.database.query<TeamRow>(
      "SELECT * FROM robot_eval.challenge_teams ORDER BY name",
    );
    return rows.map(teamOf);
  }

  /** Tokens of a disabled team are invalid. */
  async setDisabled(teamId: string, disabled: boolean): Promise<void> {
    await this.database.query(
      `UPDATE robot_eval.challenge_teams SET disabled_at = CASE WHEN $2 THEN now() END WHERE id = $1`,
      [teamId, disabled],
    );
  }

  /** Returns the token once; only its hash is stored. */
  async issueToken(
    teamId: string,
    { label = "", expiresAt }: { label?: string; expiresAt?: Date } = {},
  ): Promise<IssuedToken> {
    const { id, token, hash } = newToken();
    await this.database.query(
      `INSERT INTO robot_eval.challenge_tokens (id, team_id, hash, label, expires_at)
       VALUES ($1, $2, $3, $4, $5)`,
      [id, teamId, hash, label, expiresAt ?? null],
    );
    return { id, token };
  }

  async tokens(teamId: string): Promise<readonly TokenInfo[]> {
    const { rows } = await this.database.query<TokenInfo>(
      `SELECT id, label, created_at AS "createdAt", expires_at AS "expiresAt",
         revoked_at AS "revokedAt"
       FROM robot_eval.challenge_tokens WHERE team_id = $1 ORDER BY created_at`,
      [teamId],
    );
    return rows;
  }

  /** True if the token existed and was valid. */
  async revokeToken(id: string): Promise<boolean> {
    const { rowCount } = await this.database.query(
      `UPDATE robot_eval.challenge_tokens SET revoked_at = now()
       WHERE id = $1 AND revoked_at IS NULL`,
      [id],
    );
    return rowCount === 1;
  }

  /** Those of the given tokens that were revoked or whose team was disabled. */
  async closedTokens(tokenIds: readonly string[]): Promise<readonly string[]> {
    const { rows } = await this.database.query<{ id: string }>(
      `SELECT k.id FROM robot_eval.challenge_tokens k
         JOIN robot_eval.challenge_teams t ON t.id = k.team_id
       WHERE k.id = ANY($1) AND (k.revoked_at IS NOT NULL OR t.disabled_at IS NOT NULL)`,
      [tokenIds],
    );
    return rows.map(({ id }) => id);
  }

  /** The token's team; undefined if the token is unknown, expired or revoked, or the team is disabled. */
  async authenticate(token: string): Promise<Team | undefined> {
    const id = tokenId(token);
    if (id === undefined) return undefined;
    const { rows } = await this.database.query<TeamRow & { hash: Buffer }>(
      `SELECT t.*, k.hash FROM robot_eval.challenge_tokens k
         JOIN robot_eval.challenge_teams t ON t.id = k.team_id
       WHERE k.id = $1 AND k.revoked_at IS NULL AND t.disabled_at IS NULL
         AND (k.expires_at IS NULL OR k.expires_at > now())`,
      [id],
    );
    const [row] = rows;
    return row && sameHash(row.hash, hashOf(token)) ? teamOf(row) : undefined;
  }
}

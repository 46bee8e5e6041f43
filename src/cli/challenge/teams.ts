import { ConfigError } from "../../core/errors.js";
import type { IssuedToken, Team } from "../../server/challenge/store.js";
import { table } from "../output.js";
import {
  type Answer,
  type ChallengeFlags,
  type Desk,
  needed,
  teamMeant,
  when,
  writeDown,
} from "./desk.js";

const LONGEST_NAME = 80;

export async function addTeam(desk: Desk, name: string | undefined, flags: ChallengeFlags) {
  const wanted = needed(name, "the team's name").trim();
  // Names stand in tables and logs: nothing that is not seen, and nothing that runs over.
  if (wanted.length > LONGEST_NAME || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(wanted)) {
    throw new ConfigError("bad_name", "a team's name is one line of at most 80 characters");
  }
  const { affiliation = "" } = flags;
  const team = await desk.store.createTeam({ name: wanted, affiliation });
  await writeDown(desk.store, "team add", { teamId: team.id, name: wanted });
  return issued(desk, team, flags, []);
}

/** A new token; the old ones open nothing from now on. */
export async function rotateTokens(desk: Desk, name: string | undefined, flags: ChallengeFlags) {
  const team = await teamMeant(desk, name);
  return issued(desk, team, flags, await revokeAll(desk, team));
}

export async function revokeTokens(desk: Desk, name: string | undefined): Promise<Answer> {
  const team = await teamMeant(desk, name);
  const revoked = await revokeAll(desk, team);
  await writeDown(desk.store, "team revoke", { teamId: team.id, tokens: revoked });
  return {
    document: { team: team.name, revoked },
    text: `${revoked.length} tokens of ${team.name} revoked`,
    notes: [
      "agents that came with them are turned out within seconds; what they had under way has failed, and counts: submissions refund gives it back",
    ],
  };
}

/** A team that is disabled cannot come in, and does not stand on the leaderboard. */
export async function setDisabled(
  desk: Desk,
  name: string | undefined,
  disabled: boolean,
): Promise<Answer> {
  const team = await teamMeant(desk, name);
  await desk.store.setDisabled(team.id, disabled);
  await writeDown(desk.store, disabled ? "team disable" : "team enable", { teamId: team.id });
  return {
    document: { team: team.name, disabled },
    text: `${team.name} is ${disabled ? "disabled" : "enabled"}`,
  };
}

export async function listTeams({ store }: Desk): Promise<Answer> {
  const teams = await Promise.all(
    (await store.teams()).map(async (team) => ({
      name: team.name,
      affiliation: team.affiliation,
      created_at: team.createdAt.toISOString(),
      disabled_at: team.disabledAt?.toISOString() ?? null,
      tokens: (await store.tokens(team.id)).map((token) => ({
        id: token.id,
        label: token.label,
        created_at: token.createdAt.toISOString(),
        expires_at: token.expiresAt?.toISOString() ?? null,
        revoked_at: token.revokedAt?.toISOString() ?? null,
      })),
    })),
  );
  const now = new Date().toISOString();
  const rows = teams.map(({ name, affiliation, created_at, disabled_at, tokens }) => [
    name,
    affiliation,
    when(new Date(created_at)),
    String(
      tokens.filter(
        ({ revoked_at, expires_at }) => revoked_at === null && !(expires_at && expires_at <= now),
      ).length,
    ),
    disabled_at === null ? "" : "disabled",
  ]);
  return {
    document: { teams },
    text: table(["team", "affiliation", "added", "valid tokens", ""], rows),
  };
}

async function revokeAll({ store }: Desk, team: Team): Promise<string[]> {
  const valid = (await store.tokens(team.id)).filter(({ revokedAt }) => revokedAt === null);
  for (const { id } of valid) await store.revokeToken(id);
  return valid.map(({ id }) => id);
}

async function issued(
  { store }: Desk,
  team: Team,
  { label, expires }: ChallengeFlags,
  revoked: readonly string[],
): Promise<Answer> {
  const token: IssuedToken = await store.issueToken(team.id, {
    ...(label === undefined ? {} : { label }),
    ...(expires === undefined ? {} : { expiresAt: expires }),
  });
  await writeDown(store, "team token", { teamId: team.id, token_id: token.id, revoked });
  return {
    document: {
      team: team.name,
      token: token.token,
      token_id: token.id,
      expires_at: expires?.toISOString() ?? null,
      revoked,
    },
    text: token.token,
    notes: [
      `the token of ${team.name}, told this once: only its hash is kept`,
      ...(revoked.length > 0 ? [`${revoked.length} older tokens are revoked`] : []),
    ],
  };
}

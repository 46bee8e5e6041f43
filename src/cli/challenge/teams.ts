import { ConfigError } from "../../core/errors.js";
import type { IssuedToken, Team } from "../../server/challenge/store/store.js";
import { table } from "../output.js";
import {
  type AdminAction,
  type AdminContext,
  type Answer,
  type ChallengeFlags,
  needed,
  requireTeam,
  when,
  writeAudit,
} from "./admin-context.js";

const LONGEST_NAME = 80;

export const addTeam: AdminAction = async (context, name, flags) => {
  const wanted = needed(name, "the team's name").trim();
  // Names appear in tables and logs: reject invisible characters and long names.
  if (wanted.length > LONGEST_NAME || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(wanted)) {
    throw new ConfigError("bad_name", "a team's name must be one line of at most 80 characters");
  }
  const { affiliation = "" } = flags;
  const team = await context.store.createTeam({ name: wanted, affiliation });
  await writeAudit(context.store, "team add", { teamId: team.id, name: wanted });
  return issued(context, team, flags, []);
};

/** Issues a new token and revokes the old ones. */
export const rotateTokens: AdminAction = async (context, name, flags) => {
  const team = await requireTeam(context, name);
  return issued(context, team, flags, await revokeAll(context, team));
};

export const revokeTokens: AdminAction = async (context, name) => {
  const team = await requireTeam(context, name);
  const revoked = await revokeAll(context, team);
  await writeAudit(context.store, "team revoke", { teamId: team.id, tokens: revoked });
  return {
    document: { team: team.name, revoked },
    text: `${revoked.length} tokens of ${team.name} revoked`,
    notes: [
      "agents that use them are disconnected within seconds; their running submissions fail and count: use submissions refund to give them back",
    ],
  };
};

/** Disables or enables a team. A disabled team cannot connect and is not on the leaderboard. */
export function setDisabled(disabled: boolean): AdminAction {
  return async (context, name) => {
    const team = await requireTeam(context, name);
    await context.store.setDisabled(team.id, disabled);
    await writeAudit(context.store, disabled ? "team disable" : "team enable", { teamId: team.id });
    return {
      document: { team: team.name, disabled },
      text: `${team.name} is ${disabled ? "disabled" : "enabled"}`,
    };
  };
}

export const listTeams: AdminAction = async ({ store }) => {
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
};

async function revokeAll({ store }: AdminContext, team: Team): Promise<string[]> {
  const valid = (await store.tokens(team.id)).filter(({ revokedAt }) => revokedAt === null);
  for (const { id } of valid) await store.revokeToken(id);
  return valid.map(({ id }) => id);
}

async function issued(
  { store }: AdminContext,
  team: Team,
  { label, expires }: ChallengeFlags,
  revoked: readonly string[],
): Promise<Answer> {
  const token: IssuedToken = await store.issueToken(team.id, {
    ...(label === undefined ? {} : { label }),
    ...(expires === undefined ? {} : { expiresAt: expires }),
  });
  await writeAudit(store, "team token", { teamId: team.id, token_id: token.id, revoked });
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
      `the token of ${team.name}, shown only once: only its hash is stored`,
      ...(revoked.length > 0 ? [`${revoked.length} older tokens are revoked`] : []),
    ],
  };
}

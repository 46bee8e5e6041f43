import { userInfo } from "node:os";
import { ConfigError } from "../../core/errors.js";
import type { LoadedChallenge } from "../../server/challenge/load.js";
import type { ChallengeDatabase } from "../../server/challenge/store/database.js";
import type { ChallengeStore } from "../../server/challenge/store/postgres-store.js";
import type { Team } from "../../server/challenge/store/store.js";

/** What an administration command needs: the challenge and its database. */
export interface AdminContext extends Pick<ChallengeDatabase, "url" | "isOwn" | "store"> {
  readonly loaded: LoadedChallenge;
}

/** The flags of `robot-eval challenge`; each command uses some of them. */
export interface ChallengeFlags {
  readonly affiliation?: string;
  readonly label?: string;
  readonly expires?: Date;
  readonly reason?: string;
  readonly team?: string;
  readonly phase?: string;
  readonly event?: string;
  readonly limit?: number;
  readonly json?: boolean;
}

/** The result of a command: data for programs, and text for people. */
export interface Answer {
  readonly document: unknown;
  readonly text: string;
  /** Additional lines for people only. */
  readonly notes?: readonly string[];
}

/** An administration command. @param name the team, submission or phase it applies to */
export type AdminAction = (
  context: AdminContext,
  name: string | undefined,
  flags: ChallengeFlags,
) => Promise<Answer>;

/** Adds an entry with the name of the account to the audit log. */
export async function writeAudit(
  store: ChallengeStore,
  action: string,
  about: { readonly teamId?: string; readonly submissionId?: string } & Record<string, unknown>,
): Promise<void> {
  const { teamId, submissionId, ...details } = about;
  const actor = `admin:${userInfo().username}`;
  await store.audit({
    event: "admin",
    ...{ actor, teamId, submissionId },
    details: { action, ...details },
  });
}

/** Finds the team that a command names. */
export async function requireTeam(
  { store }: AdminContext,
  name: string | undefined,
): Promise<Team> {
  const wanted = needed(name, "the team's name");
  const team = await store.team(wanted);
  if (team) return team;
  const known = (await store.teams()).map((one) => one.name);
  throw new ConfigError("unknown_team", `unknown team "${wanted}"`, {
    hint:
      known.length === 0
        ? "add a team first: robot-eval challenge team add"
        : `known: ${known.join(", ")}`,
  });
}

/** The id of the team in `--team`. */
export async function teamIdOf(
  context: AdminContext,
  { team }: ChallengeFlags,
): Promise<string | undefined> {
  return team === undefined ? undefined : (await requireTeam(context, team)).id;
}

export function needed(value: string | undefined, what: string): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw new ConfigError("missing_argument", `${what} is missing`, {
    hint: "see robot-eval challenge --help",
  });
}

/** To the minute: `2027-01-31 23:59`. */
export function when(date: Date | null): string {
  return date === null ? "" : date.toISOString().slice(0, 16).replace("T", " ");
}

import { userInfo } from "node:os";
import { ConfigError } from "../../core/errors.js";
import type { LoadedChallenge } from "../../server/challenge/load.js";
import type { ChallengeStore, Team } from "../../server/challenge/store.js";

/** What an organiser's order needs: the challenge, its store, and who gives it. */
export interface Desk {
  readonly loaded: LoadedChallenge;
  readonly store: ChallengeStore;
}

/** The flags of `robot-eval challenge`; each order takes some of them. */
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

/** What an order has to say: data for programs, and the same for people. */
export interface Answer {
  readonly document: unknown;
  readonly text: string;
  /** Beside the data, for people alone. */
  readonly notes?: readonly string[];
}

/** Everything that an organiser does is written down with the name of the account. */
export async function writeDown(
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

/** The team that an order is about. */
export async function teamMeant({ store }: Desk, name: string | undefined): Promise<Team> {
  const wanted = needed(name, "the team's name");
  const team = await store.team(wanted);
  if (team) return team;
  const known = (await store.teams()).map((one) => one.name);
  throw new ConfigError("unknown_team", `there is no team "${wanted}"`, {
    hint: known.length === 0 ? "there are no teams yet" : `known: ${known.join(", ")}`,
  });
}

/** Of `--team`. */
export async function teamIdOf(desk: Desk, { team }: ChallengeFlags): Promise<string | undefined> {
  return team === undefined ? undefined : (await teamMeant(desk, team)).id;
}

export function needed(value: string | undefined, what: string): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw new ConfigError("missing_argument", `${what} is missing`, {
    hint: "robot-eval challenge --help lists the orders",
  });
}

/** To the minute: `2027-01-31 23:59`. */
export function when(date: Date | null): string {
  return date === null ? "" : date.toISOString().slice(0, 16).replace("T", " ");
}

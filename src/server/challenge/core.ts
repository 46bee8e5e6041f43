import type { LoadedChallenge } from "./load.js";
import type { Readiness } from "./readiness.js";
import type { ChallengeStore } from "./store/postgres-store.js";
import type { Submission, Team } from "./store/store.js";

/** Dependencies of the pages and the HTTP API. */
export interface ChallengeDeps {
  readonly loaded: LoadedChallenge;
  readonly store: ChallengeStore;
  readonly core: ChallengeCore;
  readonly readiness: Pick<Readiness, "failure" | "problem">;
}

/** The server's operations for pages and the HTTP API, besides its store. */
export interface ChallengeCore {
  /** Opens and audits a submission. @throws ChallengeError if the phase is closed or the quota is used up */
  open(team: Team, phase: string, name: string, remote: string): Promise<Submission>;
  /** Cancels a submission; undefined if it was already over. */
  cancel(id: string, actor: string, reason: string): Promise<Submission | undefined>;
  status(): CoreStatus;
  /** Calls `listener` when a submission's state or progress changes. Returns a function that removes it. */
  onChange(listener: ChangeListener): () => void;
}

export type ChangeListener = (submissionId: string, teamId: string) => void;

export interface CoreStatus {
  /** Submissions being evaluated. */
  readonly running: number;
  /** Submissions that wait with a connected agent. */
  readonly queued: number;
  /** Connected agents. */
  readonly connections: number;
}

import type { Submission, Team } from "./store.js";

/** What pages and the HTTP interface may ask of the server beside its store. */
export interface ChallengeCore {
  /** Opens a submission, if the phase is open and the team has one left. Audited. @throws ChallengeError */
  open(team: Team, phase: string, name: string, remote: string): Promise<Submission>;
  /** Ends one that is not over; undefined where it was over already. */
  cancel(id: string, actor: string, reason: string): Promise<Submission | undefined>;
  status(): CoreStatus;
  /** Told whenever a submission's state or progress has changed. Gives what ends that. */
  onChange(listener: ChangeListener): () => void;
}

export type ChangeListener = (submissionId: string, teamId: string) => void;

export interface CoreStatus {
  /** Submissions under way. */
  readonly running: number;
  /** Submissions whose agent is here and that wait for their turn. */
  readonly queued: number;
  /** Agents that are connected. */
  readonly connections: number;
}

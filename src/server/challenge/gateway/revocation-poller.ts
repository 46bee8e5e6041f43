import type { ChallengeStore } from "../store/postgres-store.js";
import type { Submission } from "../store/store.js";
import type { TeamAgent } from "./team-agent.js";

const POLL_MS = 2000;

export interface RevocationPollerOptions {
  readonly store: Pick<ChallengeStore, "submission" | "closedTokens">;
  /** Connected agents. */
  readonly agents: () => Iterable<TeamAgent>;
  readonly onCancelled: (submission: Submission) => Promise<void>;
  /** Called when the agent's token was revoked or its team was disabled. */
  readonly onRevoked: (agent: TeamAgent) => void;
  readonly onFault: (error: unknown) => void;
}

/** Polls the database for what `robot-eval challenge` changed: cancelled submissions and revoked tokens. */
export class RevocationPoller {
  readonly #timer: NodeJS.Timeout;
  #polling = false;

  constructor(private readonly options: RevocationPollerOptions) {
    this.#timer = setInterval(() => void this.#poll(), POLL_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    try {
      await this.#pollTokens();
      await this.#pollCancelled();
    } catch (error) {
      this.options.onFault(error);
    } finally {
      this.#polling = false;
    }
  }

  async #pollTokens(): Promise<void> {
    const { store, agents, onRevoked } = this.options;
    const connected = [...agents()];
    if (connected.length === 0) return;
    const revoked = new Set(await store.closedTokens(connected.map(({ tokenId }) => tokenId)));
    for (const agent of connected) if (revoked.has(agent.tokenId)) onRevoked(agent);
  }

  async #pollCancelled(): Promise<void> {
    const { store, agents, onCancelled } = this.options;
    for (const { submissionId } of [...agents()]) {
      const submission = await store.submission(submissionId);
      if (submission?.state === "cancelled") await onCancelled(submission);
    }
  }
}

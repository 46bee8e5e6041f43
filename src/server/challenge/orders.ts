import type { ChallengeStore, Submission } from "./store.js";
import type { TeamAgent } from "./team-agent.js";

/** How often it is looked what organisers have ordered from another process. */
const LOOK_MS = 2000;

export interface OrdersOptions {
  readonly store: Pick<ChallengeStore, "submission" | "closedTokens">;
  /** Agents that are here. */
  readonly agents: () => Iterable<TeamAgent>;
  readonly onCancelled: (submission: Submission) => Promise<void>;
  /** The token that the agent came with opens nothing any more. */
  readonly onClosed: (agent: TeamAgent) => void;
  readonly onFault: (error: unknown) => void;
}

/** Has a server notice what `robot-eval challenge` did: submissions that were cancelled, tokens that were revoked. */
export class Orders {
  readonly #options: OrdersOptions;
  readonly #timer: NodeJS.Timeout;
  #looking = false;

  constructor(options: OrdersOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      await this.#lookForTokens();
      await this.#lookForCancelled();
    } catch (error) {
      this.#options.onFault(error);
    } finally {
      this.#looking = false;
    }
  }

  async #lookForTokens(): Promise<void> {
    const { store, agents, onClosed } = this.#options;
    const here = [...agents()];
    if (here.length === 0) return;
    const closed = new Set(await store.closedTokens(here.map(({ tokenId }) => tokenId)));
    for (const agent of here) if (closed.has(agent.tokenId)) onClosed(agent);
  }

  async #lookForCancelled(): Promise<void> {
    const { store, agents, onCancelled } = this.#options;
    for (const { submissionId } of [...agents()]) {
      const submission = await store.submission(submissionId);
      if (submission?.state === "cancelled") await onCancelled(submission);
    }
  }
}

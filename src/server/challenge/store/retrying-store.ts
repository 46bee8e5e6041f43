import { whenReachable } from "../../../cluster/database/when-reachable.js";
import type { ChallengeStore } from "./postgres-store.js";
import type { NewResult, Submission, SubmissionChange, SubmissionState } from "./store.js";

/** The methods of a store that are retried, or tell whether a failed try took effect. */
export type SubmissionWrites = Pick<
  ChallengeStore,
  "transition" | "submission" | "recordResult" | "result" | "setCounted" | "setProgress"
>;

/**
 * Retries the server's writes about submissions while the database is unreachable, so that a restart loses no result.
 * A failed try may have taken effect; a retry checks for that.
 */
export class RetryingStore {
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;

  /** @param lost aborted when the database is lost for good */
  constructor(
    private readonly store: SubmissionWrites,
    lost: AbortSignal,
  ) {
    this.#signal = AbortSignal.any([lost, this.#ending.signal]);
  }

  /** Retries `ChallengeStore.transition`. */
  async move(
    id: string,
    from: readonly SubmissionState[],
    to: SubmissionState,
    change?: SubmissionChange,
  ): Promise<Submission | undefined> {
    return this.#retry(async (isRetry) => {
      const moved = await this.store.transition(id, from, to, change);
      if (moved || !isRetry) return moved;
      const now = await this.store.submission(id);
      return now?.state === to ? now : undefined;
    });
  }

  /** Retries `ChallengeStore.recordResult`. */
  async record(id: string, result: NewResult): Promise<boolean> {
    return this.#retry(async (isRetry) => {
      const kept = await this.store.recordResult(id, result);
      return kept || (isRetry && (await this.store.result(id)) !== undefined);
    });
  }

  setCounted(id: string, counted: boolean): Promise<void> {
    return this.#retry(() => this.store.setCounted(id, counted));
  }

  setProgress(id: string, done: number, total: number): Promise<void> {
    return this.#retry(() => this.store.setProgress(id, done, total));
  }

  /** Ends all retries, because the server is stopping. */
  stopRetrying(): void {
    this.#ending.abort();
  }

  #retry<T>(write: (isRetry: boolean) => Promise<T>): Promise<T> {
    let tries = 0;
    return whenReachable(() => write(tries++ > 0), { signal: this.#signal });
  }
}

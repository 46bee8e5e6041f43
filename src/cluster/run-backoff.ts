const FIRST_MS = 1_000;
const LONGEST_MS = 300_000;
/** Shorter when all sessions of the policy are in use: one is freed as soon as its worker stops or dies. */
const LONGEST_BUSY_MS = 5_000;

/** Exponential backoff for runs that a worker failed to prepare. */
export class RunBackoff {
  readonly #runs = new Map<string, { readonly until: number; readonly waitMs: number }>();

  /**
   * @param isBusy other workers use all sessions of the run's policy
   * @returns true if the run was not backed off before
   */
  add(runId: string, isBusy = false): boolean {
    const before = this.#runs.get(runId)?.waitMs;
    const longestMs = isBusy ? LONGEST_BUSY_MS : LONGEST_MS;
    const waitMs = Math.min((before ?? FIRST_MS / 2) * 2, longestMs);
    this.#runs.set(runId, { until: Date.now() + waitMs, waitMs });
    return before === undefined;
  }

  /** Ends the backoff of a run that was prepared. */
  delete(runId: string): void {
    this.#runs.delete(runId);
  }

  current(): readonly string[] {
    const now = Date.now();
    return [...this.#runs].flatMap(([runId, { until }]) => (until > now ? [runId] : []));
  }
}

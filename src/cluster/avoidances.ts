const FIRST_MS = 1_000;
const LONGEST_MS = 300_000;

/** Runs that a worker cannot serve: it leaves each alone for a while, twice as long every time. */
export class Avoidances {
  readonly #runs = new Map<string, { readonly until: number; readonly waitMs: number }>();

  add(runId: string): void {
    const before = this.#runs.get(runId)?.waitMs ?? FIRST_MS / 2;
    const waitMs = Math.min(before * 2, LONGEST_MS);
    this.#runs.set(runId, { until: Date.now() + waitMs, waitMs });
  }

  /** It can be served after all. */
  delete(runId: string): void {
    this.#runs.delete(runId);
  }

  now(): readonly string[] {
    const now = Date.now();
    return [...this.#runs].flatMap(([runId, { until }]) => (until > now ? [runId] : []));
  }
}

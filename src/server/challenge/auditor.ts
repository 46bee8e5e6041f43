import { whenReachable } from "../../cluster/database/when-reachable.js";
import type { ChallengeStore } from "./store/postgres-store.js";
import type { AuditEntry } from "./store/store.js";

/** Entries that may wait while the database is unreachable; the log records how many more were lost. */
const MOST_WAITING = 10_000;
/** How long a stopping server waits for an unreachable database, in milliseconds. */
const FLUSH_MS = 5000;

/** Writes audit entries in order and in the background. Entries wait while the database restarts. */
export class Auditor {
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #lost = 0;

  /** @param lost aborted when the database is lost for good */
  constructor(
    private readonly store: Pick<ChallengeStore, "audit">,
    private readonly onFault: (error: unknown) => void,
    lost: AbortSignal,
  ) {
    this.#signal = AbortSignal.any([lost, this.#ending.signal]);
  }

  add(entry: AuditEntry): void {
    if (this.#waiting >= MOST_WAITING) {
      this.#lost++;
      return;
    }
    this.#waiting++;
    this.#last = this.#last.then(() => this.#write(entry));
  }

  /** Resolves when all entries are written, or after `FLUSH_MS` if the database is unreachable. */
  async flush(): Promise<void> {
    const timer = setTimeout(() => this.#ending.abort(), FLUSH_MS);
    await this.#last;
    clearTimeout(timer);
  }

  async #write(entry: AuditEntry): Promise<void> {
    const lost = this.#lost;
    this.#lost = 0;
    try {
      const details = lost === 0 ? entry.details : { ...entry.details, entries_lost_before: lost };
      const wait = { signal: this.#signal };
      await whenReachable(() => this.store.audit({ ...entry, details }), wait);
    } catch (error) {
      this.#lost += lost + 1;
      this.onFault(error);
    } finally {
      this.#waiting--;
    }
  }
}

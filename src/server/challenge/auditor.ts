import type { AuditEntry, ChallengeStore } from "./store.js";

/** Entries that may wait for a database that is away; beyond them the log says how many are missing. */
const MOST_WAITING = 10_000;

/** Writes the audit log in its order, without making anybody wait for it. */
export class Auditor {
  readonly #store: Pick<ChallengeStore, "audit">;
  readonly #onFault: (error: unknown) => void;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #lost = 0;

  constructor(store: Pick<ChallengeStore, "audit">, onFault: (error: unknown) => void) {
    this.#store = store;
    this.#onFault = onFault;
  }

  add(entry: AuditEntry): void {
    if (this.#waiting >= MOST_WAITING) {
      this.#lost++;
      return;
    }
    this.#waiting++;
    this.#last = this.#last.then(() => this.#write(entry));
  }

  /** Resolves when all that was added is written. */
  flush(): Promise<void> {
    return this.#last;
  }

  async #write(entry: AuditEntry): Promise<void> {
    const lost = this.#lost;
    this.#lost = 0;
    try {
      const details = lost === 0 ? entry.details : { ...entry.details, entries_lost_before: lost };
      await this.#store.audit({ ...entry, details });
    } catch (error) {
      this.#lost += lost + 1;
      this.#onFault(error);
    } finally {
      this.#waiting--;
    }
  }
}

import { randomBytes } from "node:crypto";

/** Deleted runs that are remembered. A reader that missed more gets every run. */
const KEPT_GONE = 10_000;

/**
 * Numbers the changes of a list, so that a reader gets only those since its last request. A revision contains a
 * random id of the index, so that a restarted server does not accept it.
 */
export class Revisions {
  readonly #index = randomBytes(6).toString("hex");
  /** Number of the last change by run id, in ascending order. */
  readonly #changes = new Map<string, number>();
  readonly #gone = new Set<string>();
  #last = 0;
  /** Changes up to this number are incomplete. */
  #forgotten = 0;

  get now(): string {
    return `${this.#index}.${this.#last}`;
  }

  change(id: string): void {
    this.#last++;
    this.#gone.delete(id);
    this.#changes.delete(id);
    this.#changes.set(id, this.#last);
  }

  remove(id: string): void {
    this.change(id);
    this.#gone.add(id);
    for (const oldest of this.#gone) {
      if (this.#gone.size <= KEPT_GONE) break;
      this.#forgotten = Math.max(this.#forgotten, this.#changes.get(oldest) ?? 0);
      this.#changes.delete(oldest);
      this.#gone.delete(oldest);
    }
  }

  /** Ids of changed and deleted runs, in the order of their last changes. */
  changedSince(revision: string | undefined): string[] {
    const [index, number] = (revision ?? "").split(".");
    const since = index === this.#index && /^\d+$/.test(number ?? "") ? Number(number) : -1;
    const isKnown = since >= this.#forgotten && since <= this.#last;
    return [...this.#changes]
      .filter(([id, change]) => (isKnown ? change > since : !this.#gone.has(id)))
      .map(([id]) => id);
  }
}

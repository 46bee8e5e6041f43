import type { LiveEvent, RunCard } from "./view/documents.js";
import type { RunLibrary } from "./view/library.js";

const EVERY_MS = 1000;

type Listener = (event: LiveEvent) => void;

/** Tells what changes among the runs. Files are looked at while somebody listens, and not otherwise. */
export class LiveRuns {
  readonly #library: RunLibrary;
  readonly #listeners = new Set<Listener>();
  /** By run, its card as it was last told. */
  #told = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(library: RunLibrary) {
    this.#library = library;
  }

  /**
   * Begins with every run as it is: what changed between somebody's reading of the list and his listening
   * is not lost. Gives what ends it.
   */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    for (const card of this.#told.values()) listener({ type: "run", card: JSON.parse(card) });
    if (!this.#timer) this.#look();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#told.clear();
  }

  #look(): void {
    const timer = setTimeout(() => {}, 0);
    this.#timer = timer;
    this.#tell()
      // A folder that is gone for a moment must not end the listening.
      .catch(() => {})
      .finally(() => {
        if (this.#timer !== timer) return;
        this.#timer = setTimeout(() => this.#look(), EVERY_MS);
      });
  }

  async #tell(): Promise<void> {
    const { runs, damaged } = await this.#library.runs(true);
    if (this.#listeners.size === 0) return;
    const now = new Map(runs.map((card) => [card.id, JSON.stringify(card)]));
    // One that cannot be read for a moment is being written.
    for (const { id } of damaged) {
      const before = this.#told.get(id);
      if (before !== undefined) now.set(id, before);
    }
    for (const card of changed(runs, this.#told)) this.#send({ type: "run", card });
    for (const id of this.#told.keys()) if (!now.has(id)) this.#send({ type: "gone", id });
    this.#told = now;
  }

  #send(event: LiveEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

function changed(cards: readonly RunCard[], told: ReadonlyMap<string, string>): RunCard[] {
  return cards.filter((card) => told.get(card.id) !== JSON.stringify(card));
}

/** A field that the target format cannot store. */
export interface DroppedField {
  /** The path within an episode's document: `task_config.gt_actions`. */
  readonly field: string;
  /** The number of written episodes that had it. */
  readonly episodes: number;
  readonly why: string;
}

export class Drops {
  readonly #counts = new Map<string, { field: string; why: string; episodes: number }>();
  /** Fields already counted for the current episode, so that each counts once per episode. */
  readonly #counted = new Set<string>();

  nextEpisode(): void {
    this.#counted.clear();
  }

  add(field: string, why: string): void {
    const key = JSON.stringify([field, why]);
    if (this.#counted.has(key)) return;
    this.#counted.add(key);
    this.addFor(1, field, why);
  }

  /** Counts a field for several episodes at once, after all have been read. */
  addFor(episodes: number, field: string, why: string): void {
    const key = JSON.stringify([field, why]);
    const entry = this.#counts.get(key) ?? { field, why, episodes: 0 };
    entry.episodes += episodes;
    this.#counts.set(key, entry);
  }

  /** Adds every member of a record except those that the target stores. */
  addOthers(
    prefix: string,
    record: Readonly<Record<string, unknown>> | null | undefined,
    held: readonly string[],
    why: string,
  ): void {
    for (const [key, value] of Object.entries(record ?? {})) {
      if (value === undefined || value === null || held.includes(key)) continue;
      this.add(`${prefix}.${key}`, why);
    }
  }

  list(): DroppedField[] {
    return [...this.#counts.values()];
  }
}

/** A field that the target has no place for. */
export interface DroppedField {
  /** As in an episode's document: `task_config.gt_actions`. */
  readonly field: string;
  /** How many of the written episodes had it. */
  readonly episodes: number;
  readonly why: string;
}

/** Keeps count of what a conversion leaves behind. */
export class Drops {
  readonly #counts = new Map<string, { field: string; why: string; episodes: number }>();
  /** Of the present episode: a field is told once, however often it occurs in it. */
  readonly #told = new Set<string>();

  /** The following drops are another episode's. */
  nextEpisode(): void {
    this.#told.clear();
  }

  add(field: string, why: string): void {
    const key = JSON.stringify([field, why]);
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.addFor(1, field, why);
  }

  /** For what is only known when all episodes have been seen. */
  addFor(episodes: number, field: string, why: string): void {
    const key = JSON.stringify([field, why]);
    const entry = this.#counts.get(key) ?? { field, why, episodes: 0 };
    entry.episodes += episodes;
    this.#counts.set(key, entry);
  }

  /** Every member of a record but those that the target holds. */
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

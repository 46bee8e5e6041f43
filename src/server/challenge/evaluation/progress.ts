type Counts = readonly [done: number, total: number];

/** Writes the progress of submissions. While one write is pending, only the latest counts are kept. */
export class Progress {
  readonly #latest = new Map<string, Counts>();

  constructor(private readonly write: (id: string, done: number, total: number) => Promise<void>) {}

  /** Resolves when the latest counts are written. */
  async report(id: string, done: number, total: number): Promise<void> {
    const isWriting = this.#latest.has(id);
    this.#latest.set(id, [done, total]);
    if (isWriting) return;
    try {
      for (let written: Counts | undefined; ; ) {
        const counts = this.#latest.get(id);
        if (!counts || counts === written) return;
        await this.write(id, ...counts);
        written = counts;
      }
    } finally {
      this.#latest.delete(id);
    }
  }
}

type Counts = readonly [done: number, total: number];

/** Writes how far submissions are. Of what comes while one is being written, only the latest is written next. */
export class Progress {
  readonly #write: (id: string, done: number, total: number) => Promise<void>;
  readonly #latest = new Map<string, Counts>();

  constructor(write: (id: string, done: number, total: number) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when nothing of it is left to write. */
  async report(id: string, done: number, total: number): Promise<void> {
    const isWriting = this.#latest.has(id);
    this.#latest.set(id, [done, total]);
    if (isWriting) return;
    try {
      for (let written: Counts | undefined; ; ) {
        const counts = this.#latest.get(id);
        if (!counts || counts === written) return;
        await this.#write(id, ...counts);
        written = counts;
      }
    } finally {
      this.#latest.delete(id);
    }
  }
}

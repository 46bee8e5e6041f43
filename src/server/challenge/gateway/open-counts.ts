/** Counts open connections or handshakes by key. */
export class OpenCounts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Adds one to a key. Call the result once to subtract it. */
  add(key: string): () => void {
    let isOpen = true;
    this.#counts.set(key, this.of(key) + 1);
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = this.of(key) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    };
  }
}

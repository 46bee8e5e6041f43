/** How many there are of each key at this moment. */
export class Tally {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** One more, until what is returned is called. */
  add(key: string): () => void {
    let isHere = true;
    this.#counts.set(key, this.of(key) + 1);
    return () => {
      if (!isHere) return;
      isHere = false;
      const left = this.of(key) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    };
  }
}

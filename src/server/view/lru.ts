/** A cache that evicts the least recently used entries beyond a total size. */
export class Lru<T> {
  readonly #most: number;
  /** Least recently used first. */
  readonly #entries = new Map<string, T>();
  #bytes = 0;

  constructor(
    mostBytes: number,
    private readonly sizeOf: (value: T) => number,
  ) {
    this.#most = mostBytes;
  }

  get(key: string): T | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: T): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#bytes += this.sizeOf(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#most || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= this.sizeOf(value);
  }
}

/** A cached value that is expensive to make, held by one user until released. */
export interface Lease<T> {
  readonly value: T;
  /** Idempotent. The value must not be used afterwards. */
  release(): void;
}

interface Entry<T> {
  readonly value: Promise<T>;
  uses: number;
  /** The result of `sizeOf`; 0 until the value is made. */
  size: number;
}

/**
 * Keeps at most `capacity` values of at most `maxSize` together, or one, and evicts the least recently used first. Values in use are never evicted,
 * even above the capacity; they are disposed of after their release. Concurrent requests for one key share
 * one `make` call.
 *
 * Errors are not cached unless `keepFailure` says that they would recur. Then the last few are cached, so
 * that a run over thousands of episodes in one broken scene reads that file once.
 */
export class LeaseCache<T> {
  /** In order of use, the most recent last. */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #failures = new Map<string, unknown>();

  constructor(
    private readonly options: {
      readonly capacity: number;
      readonly maxSize: number;
      /** In the unit of `maxSize`. */
      readonly sizeOf: (value: T) => number;
      readonly failures: number;
      readonly dispose: (value: T) => void;
      readonly keepFailure: (error: unknown) => boolean;
    },
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  async lease(key: string, make: () => Promise<T>): Promise<Lease<T>> {
    if (this.#failures.has(key)) throw this.#failures.get(key);
    const entry = this.#entries.get(key) ?? { value: make(), uses: 0, size: 0 };
    entry.uses++;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    try {
      const value = await entry.value;
      entry.size = this.options.sizeOf(value);
      this.#trim();
      return this.#leaseOf(entry, value);
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      if (this.options.keepFailure(error)) this.#remember(key, error);
      throw error;
    }
  }

  #leaseOf(entry: Entry<T>, value: T): Lease<T> {
    let held = true;
    return {
      value,
      release: () => {
        if (!held) return;
        held = false;
        entry.uses--;
        this.#trim();
      },
    };
  }

  #trim(): void {
    let size = 0;
    for (const entry of this.#entries.values()) size += entry.size;
    const newest = [...this.#entries.values()].at(-1);
    for (const [key, entry] of this.#entries) {
      const tooMany = this.#entries.size > this.options.capacity;
      const tooLarge = size > this.options.maxSize;
      if (!tooMany && !tooLarge) return;
      // The newest stays even if it is too large: the next episode probably needs it again.
      if (entry.uses > 0 || (!tooMany && entry === newest)) continue;
      this.#entries.delete(key);
      size -= entry.size;
      void entry.value.then(this.options.dispose);
    }
  }

  #remember(key: string, error: unknown): void {
    this.#failures.delete(key);
    this.#failures.set(key, error);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > this.options.failures && oldest !== undefined) {
      this.#failures.delete(oldest);
    }
  }
}

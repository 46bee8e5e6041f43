export interface BucketOptions {
  /** Tokens added per minute. */
  readonly perMinute: number;
  /** Capacity of a bucket. */
  readonly burst: number;
  /** Maximum number of keys. */
  readonly mostKeys?: number | undefined;
  /** Monotonic clock in milliseconds. */
  readonly now?: (() => number) | undefined;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Enough for a busy site; about 100 bytes each. */
const MOST_KEYS = 20_000;
const MINUTE_MS = 60_000;

/**
 * A token bucket for each key. Memory is bounded: beyond `mostKeys` the least recently used bucket is dropped, which
 * only helps an attacker with more keys than that.
 */
export class TokenBuckets {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #most: number;
  readonly #now: () => number;
  /** Least recently used first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: BucketOptions) {
    this.#perMs = options.perMinute / MINUTE_MS;
    this.#burst = options.burst;
    this.#most = options.mostKeys ?? MOST_KEYS;
    this.#now = options.now ?? (() => performance.now());
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes `cost` tokens and returns 0, or takes none and returns the seconds until enough are available. */
  take(key: string, cost = 1): number {
    const bucket = this.#touch(key);
    if (bucket.tokens >= cost) {
      bucket.tokens -= cost;
      return 0;
    }
    return Math.max(1, Math.ceil((cost - bucket.tokens) / this.#perMs / 1000));
  }

  /** Seconds until a token is available, 0 if one is; takes none. */
  wait(key: string): number {
    const bucket = this.#buckets.get(key);
    if (!bucket) return 0;
    const tokens = this.#filled(bucket, this.#now());
    return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / this.#perMs / 1000));
  }

  #touch(key: string): Bucket {
    const now = this.#now();
    const known = this.#buckets.get(key);
    const bucket = { tokens: known ? this.#filled(known, now) : this.#burst, at: now };
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > this.#most) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    return bucket;
  }

  #filled({ tokens, at }: Bucket, now: number): number {
    return Math.min(this.#burst, tokens + (now - at) * this.#perMs);
  }
}

/**
 * Seeded random numbers: sfc32 (Chris Doty-Humphrey, PractRand), initialised with a 32-bit hash of the
 * seed. Integer arithmetic only, so the numbers are the same on every machine.
 *
 * @example
 * const random = new Random(7);
 * random.uniform(); // in [0, 1)
 * random.pick(["turn_left", "turn_right"]);
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d = 1;

  constructor(seed: number) {
    // splitmix32 decorrelates consecutive seeds. Both halves of a 53-bit seed enter separately.
    const low = splitmix32(seed | 0);
    const high = splitmix32(Math.floor(seed / 0x1_0000_0000) | 0);
    this.#a = low();
    this.#b = high();
    this.#c = low() ^ high();
    for (let i = 0; i < 12; i++) this.uint32();
  }

  uint32(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + t) | 0;
    return t >>> 0;
  }

  /** Uniform in [0, 1), 53 bits. */
  uniform(): number {
    return ((this.uint32() >>> 5) * 0x4000000 + (this.uint32() >>> 6)) / 0x20000000000000;
  }

  /** A uniform whole number in [0, n), n at most 2^32, by rejection sampling. */
  below(n: number): number {
    const limit = 0x1_0000_0000 - (0x1_0000_0000 % n);
    let x = this.uint32();
    while (x >= limit) x = this.uint32();
    return x % n;
  }

  /** Standard normal, by the Box-Muller transform. */
  normal(): number {
    const r = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return r * Math.cos(2 * Math.PI * this.uniform());
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError("cannot pick from an empty list");
    return item;
  }

  /** Fisher-Yates, into a new array. */
  shuffle<T>(items: readonly T[]): T[] {
    const out = items.slice();
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const swap = out[i] as T;
      out[i] = out[j] as T;
      out[j] = swap;
    }
    return out;
  }
}

function splitmix32(seed: number): () => number {
  let s = seed;
  return () => {
    s = (s + 0x9e3779b9) | 0;
    let z = s;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return z ^ (z >>> 16);
  };
}

/** A binary heap of whole numbers by ascending key; of equal keys the smaller number comes first. */
export class MinHeap {
  #keys = new Float64Array(1024);
  #values = new Int32Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The key of the next value; call it on a heap that holds one. */
  get leastKey(): number {
    return this.#keys[0] as number;
  }

  clear(): void {
    this.#size = 0;
  }

  push(key: number, value: number): void {
    if (this.#size === this.#keys.length) this.#grow();
    const keys = this.#keys;
    const values = this.#values;
    let i = this.#size++;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const k = keys[parent] as number;
      if (k < key || (k === key && (values[parent] as number) <= value)) break;
      keys[i] = k;
      values[i] = values[parent] as number;
      i = parent;
    }
    keys[i] = key;
    values[i] = value;
  }

  /** Takes the value with the least key; call it on a heap that holds one. */
  pop(): number {
    const keys = this.#keys;
    const values = this.#values;
    const top = values[0] as number;
    const size = --this.#size;
    const key = keys[size] as number;
    const value = values[size] as number;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= size) break;
      if (child + 1 < size && before(keys, values, child + 1, child)) child++;
      const k = keys[child] as number;
      if (key < k || (key === k && value <= (values[child] as number))) break;
      keys[i] = k;
      values[i] = values[child] as number;
      i = child;
    }
    keys[i] = key;
    values[i] = value;
    return top;
  }

  #grow(): void {
    const keys = new Float64Array(2 * this.#keys.length);
    const values = new Int32Array(2 * this.#values.length);
    keys.set(this.#keys);
    values.set(this.#values);
    this.#keys = keys;
    this.#values = values;
  }
}

function before(keys: Float64Array, values: Int32Array, a: number, b: number): boolean {
  const ka = keys[a] as number;
  const kb = keys[b] as number;
  return ka < kb || (ka === kb && (values[a] as number) < (values[b] as number));
}

/** Keeps the first `most` items in sort order, holding at most four times as many in memory. */
export class FirstOf<T> {
  readonly #most: number;
  readonly #compare: (a: T, b: T) => number;
  #items: T[] = [];

  constructor(most: number, compare: (a: T, b: T) => number) {
    this.#most = most;
    this.#compare = compare;
  }

  add(item: T): void {
    this.#items.push(item);
    if (this.#items.length >= 4 * this.#most) this.#items = this.items;
  }

  get items(): T[] {
    return [...this.#items].sort(this.#compare).slice(0, this.#most);
  }
}

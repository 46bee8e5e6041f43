/** Keeps the first `most` items in sort order, holding at most twice as many in memory. */
export class FirstOf<T> {
  #items: T[] = [];
  /** The last of the first `most` items, once there are as many. Later items are compared with it alone. */
  #last: T | undefined;

  constructor(
    private readonly most: number,
    private readonly compare: (a: T, b: T) => number,
  ) {}

  add(item: T): void {
    if (this.#last !== undefined && this.compare(item, this.#last) >= 0) return;
    this.#items.push(item);
    if (this.#items.length < 2 * this.most) return;
    this.#items = this.items;
    this.#last = this.#items.at(-1);
  }

  get items(): T[] {
    return [...this.#items].sort(this.compare).slice(0, this.most);
  }
}

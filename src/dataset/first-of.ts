/** Keeps the first `most` items in sort order, holding at most twice as many in memory. */
export class FirstOf<T> {
  #items: T[] = [];

  constructor(
    private readonly most: number,
    private readonly compare: (a: T, b: T) => number,
  ) {}

  add(item: T): void {
    this.#items.push(item);
    if (this.#items.length >= 2 * this.most) this.#items = this.items;
  }

  get items(): T[] {
    return [...this.#items].sort(this.compare).slice(0, this.most);
  }
}

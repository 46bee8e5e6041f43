/** Session ids of a connection: the first is the connection's id S, the others `S/1`, `S/2`, ... */
export class SessionIds {
  readonly #taken = new Set<number>();

  constructor(
    private readonly first: string,
    /** Maximum number of concurrent episodes. */
    readonly capacity: number,
  ) {}

  get inUse(): number {
    return this.#taken.size;
  }

  get free(): number {
    return this.capacity - this.#taken.size;
  }

  /** Takes the lowest free id, so that a policy sees no more ids than concurrent episodes. */
  take(): { readonly id: string; release(): void } | undefined {
    if (this.free <= 0) return undefined;
    let index = 0;
    while (this.#taken.has(index)) index++;
    this.#taken.add(index);
    const id = index === 0 ? this.first : `${this.first}/${index}`;
    return { id, release: () => void this.#taken.delete(index) };
  }
}

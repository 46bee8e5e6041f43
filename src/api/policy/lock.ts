/** One after the other, in the order of asking. */
export class Lock {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T> | T): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

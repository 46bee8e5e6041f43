/** The folder for logs of a run that has not begun yet: what it starts is there before the run is. */
export class LogFolder {
  readonly known: Promise<string>;
  #tell: (folder: string) => void = () => {};

  constructor() {
    this.known = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  tell(folder: string): void {
    this.#tell(folder);
  }
}

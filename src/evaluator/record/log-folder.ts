/** The folder for simulator logs. Simulators start before the run directory exists, so it is a promise. */
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

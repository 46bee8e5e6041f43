import type { StepRecord } from "../../core/interfaces/step.js";
import { stateOf } from "./state-of.js";

/** The stages of an episode, and which of them held at any record. */
export class ReachedStages {
  #names: readonly string[] = [];
  readonly #reached = new Set<string>();

  reset(): void {
    this.#names = [];
    this.#reached.clear();
  }

  update(record: StepRecord): void {
    const stages = stateOf(record, "stages");
    if (this.#names.length === 0) this.#names = Object.keys(stages);
    for (const name of this.#names) if (stages[name]) this.#reached.add(name);
  }

  /** In the order of the first record. */
  get names(): readonly string[] {
    return this.#names;
  }

  has(name: string): boolean {
    return this.#reached.has(name);
  }
}

import type { Fault } from "../../core/interfaces/result.js";
import type { RunDirectory } from "../directory/run-directory.js";

/** The explanation texts of a result line. */
export interface Explanation {
  readonly explanation: string;
  readonly fault: Fault | undefined;
}

/**
 * Reads the explanations of selected episodes. The selection is known only after pairing, so this reads the file
 * again: keeping the explanations of all episodes would take more memory than all numbers together.
 */
export class Explanations {
  readonly #requested = new Map<string, number>();
  readonly #explanations = new Map<string, Explanation>();

  request(key: string, repeat: number): void {
    this.#requested.set(key, repeat);
  }

  async read(run: RunDirectory): Promise<void> {
    if (this.#requested.size === 0) return;
    for await (const { episode_key, repeat = 0, explanation = "", fault } of run.episodes()) {
      if (this.#requested.get(episode_key) !== repeat) continue;
      this.#explanations.set(episode_key, { explanation, fault });
    }
  }

  of(key: string): Explanation | undefined {
    return this.#explanations.get(key);
  }
}

import type { Fault } from "../../core/interfaces/result.js";
import type { RunDirectory } from "../run-directory.js";

/** What a line says in words. */
export interface Story {
  readonly explanation: string;
  readonly fault: Fault | undefined;
}

/**
 * The words of a few episodes. Which ones are wanted is known only after all have been paired, so the
 * file is read again: keeping everybody's words would cost more memory than all numbers together.
 */
export class Stories {
  readonly #wanted = new Map<string, number>();
  readonly #stories = new Map<string, Story>();

  want(key: string, repeat: number): void {
    this.#wanted.set(key, repeat);
  }

  async read(run: RunDirectory): Promise<void> {
    if (this.#wanted.size === 0) return;
    for await (const { episode_key, repeat = 0, explanation = "", fault } of run.episodes()) {
      if (this.#wanted.get(episode_key) !== repeat) continue;
      this.#stories.set(episode_key, { explanation, fault });
    }
  }

  of(key: string): Story | undefined {
    return this.#stories.get(key);
  }
}

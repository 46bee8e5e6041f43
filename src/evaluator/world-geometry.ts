import { errorMessage } from "../core/errors.js";
import type { BaseSimulator, WorldGeometry } from "../core/interfaces/simulator.js";

/** What a world told of its looks, or why it did not though it can. */
export type ToldGeometry = WorldGeometry | { readonly problem: string };

/** Asks the simulators of a thread what their worlds look like. A file is asked for once. */
export class GeometryReader {
  readonly #known = new Set<string>();
  /** Those that failed once: the next episode is not to wait for the same. */
  readonly #dumb = new WeakSet<BaseSimulator>();

  async of(simulator: BaseSimulator): Promise<ToldGeometry | undefined> {
    if (this.#dumb.has(simulator)) return undefined;
    try {
      const told = await simulator.geometry?.(this.#known);
      for (const sha256 of told?.assets.keys() ?? []) this.#known.add(sha256);
      return told;
    } catch (error) {
      this.#dumb.add(simulator);
      return { problem: errorMessage(error) };
    }
  }
}

import { errorMessage } from "../../core/errors.js";
import type { BaseSimulator, WorldGeometry } from "../../core/interfaces/simulator.js";

/** The geometry that a simulator reported, or why reading it failed. */
export type ReportedGeometry = WorldGeometry | { readonly problem: string };

/** Reads the geometry of the worlds of a thread. Each asset is read once. */
export class GeometryReader {
  readonly #known = new Set<string>();
  /** Simulators whose geometry failed once; they are not asked again. */
  readonly #failed = new WeakSet<BaseSimulator>();

  async of(simulator: BaseSimulator): Promise<ReportedGeometry | undefined> {
    if (this.#failed.has(simulator)) return undefined;
    try {
      const told = await simulator.geometry?.(this.#known);
      for (const sha256 of told?.assets.keys() ?? []) this.#known.add(sha256);
      return told;
    } catch (error) {
      this.#failed.add(simulator);
      return { problem: errorMessage(error) };
    }
  }
}

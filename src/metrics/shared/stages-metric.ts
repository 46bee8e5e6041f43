import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric } from "../../core/metric/base.js";
import { stateOf } from "./state-of.js";

/** A metric of the stages of an episode that held at any record. */
export abstract class StagesMetric extends BaseMetric {
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

  /** The stages of the first record, in its order. */
  protected get names(): readonly string[] {
    return this.#names;
  }

  /** The names of the stages that held at any record. */
  protected get reached(): ReadonlySet<string> {
    return this.#reached;
  }
}

import { z } from "zod";
import { DataError } from "../../core/errors.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricConfig } from "../../core/metric/base.js";
import { stateOf } from "./state-of.js";

const settings = z.strictObject({ force_n: z.number().positive().optional() });

/** Counts the control steps at which the robot presses on its surroundings with a force or more. */
export abstract class ForceSteps extends BaseMetric {
  readonly #forceN: number;
  #count = 0;

  /** @param usualN the force of a config that sets no `force_n` */
  constructor(config: MetricConfig, name: string, usualN: number) {
    super(config);
    const { data, error } = settings.safeParse(config);
    if (!data) {
      throw new DataError("bad_metric_config", `${name}: ${error.issues[0]?.message}`, {
        where: `metric_config.${name}`,
        hint: `valid: {force_n: newtons}, default ${usualN}`,
      });
    }
    this.#forceN = data.force_n ?? usualN;
  }

  reset(): void {
    this.#count = 0;
  }

  update(record: StepRecord): void {
    if (stateOf(record, "collision_n") >= this.#forceN) this.#count++;
  }

  getMetric(): number {
    return this.#count;
  }
}

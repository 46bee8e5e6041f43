import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";
import { ReachedStages } from "../shared/reached-stages.js";

/**
 * The share of the task's stages that were reached:
 *
 *     partial_success = (number of stages that held at any record) / (number of stages)
 *
 * For `rearrange` it is the mean of find_object, pick, find_receptacle and place. Unlike `completion_rate`, a stage
 * counts even if one before it was not reached; with the ordered stages of `rearrange` both are equal.
 *
 * Range [0, 1], higher is better. Null when the task has no stages.
 *
 * Source: HomeRobot's OVMM (Yenamandra et al. 2023, arXiv:2306.11565), whose code is
 * projects/habitat_ovmm/utils/metrics_utils.py of facebookresearch/home-robot.
 */
export class PartialSuccess extends BaseMetric {
  readonly info: MetricInfo = {
    name: "partial_success",
    summary: "Share of the task's stages that were reached.",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "mean",
    needs: { state: ["stages"] },
  };

  readonly #stages = new ReachedStages();

  reset(): void {
    this.#stages.reset();
  }

  update(record: StepRecord): void {
    this.#stages.update(record);
  }

  getMetric(): number | null {
    const { names } = this.#stages;
    if (names.length === 0) return null;
    return names.filter((name) => this.#stages.has(name)).length / names.length;
  }
}

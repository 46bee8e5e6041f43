import type { MetricInfo } from "../../core/metric/base.js";
import { StagesMetric } from "../shared/stages-metric.js";

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
export class PartialSuccess extends StagesMetric {
  readonly info: MetricInfo = {
    name: "partial_success",
    summary: "Share of the task's stages that were reached.",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "mean",
    needs: { state: ["stages"] },
  };

  getMetric(): number | null {
    if (this.names.length === 0) return null;
    return this.reached.size / this.names.length;
  }
}

import type { MetricClass, MetricInfo } from "../../core/metric/base.js";
import { StagesMetric } from "../shared/stages-metric.js";

/**
 * The metric `stage_<name>`: whether one stage held at any record, so that its mean is the share of episodes that
 * reached the stage.
 *
 * 0 or 1, higher is better. Null when the episode has no stage of this name.
 *
 * Source: HomeRobot's OVMM reports a rate for each phase (`ovmm_find_object_phase_success` and so on; Yenamandra et al.
 * 2023, arXiv:2306.11565).
 *
 * @example
 * registry.register("stage_pick")(stageRate("pick"));
 */
export function stageRate(stage: string): MetricClass {
  return class StageRate extends StagesMetric {
    readonly info: MetricInfo = {
      name: `stage_${stage}`,
      summary: `The stage ${stage} was reached.`,
      unit: "1",
      direction: "higher",
      range: [0, 1],
      kind: "rate",
      needs: { state: ["stages"] },
    };

    getMetric(): number | null {
      if (!this.names.includes(stage)) return null;
      return this.reached.has(stage) ? 1 : 0;
    }
  };
}

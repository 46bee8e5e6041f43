import type { MetricConfig, MetricInfo } from "../../core/metric/base.js";
import { ForceSteps } from "../shared/force-steps.js";

/** `RobotForceMeasurementConfig.min_force` of habitat-lab. */
const LIMIT_N = 20;

/**
 * How many control steps the robot pressed too hard in: records whose `collision_n` is at least 20 N.
 *
 * `metric_config.force_violations.force_n` sets another limit.
 *
 * A whole number, [0, inf), lower is better; never above `robot_collisions` with its default force.
 *
 * Source: our own count. The limit is the one from which habitat-lab's RobotForce accumulates forces
 * (`min_force` in habitat-lab/habitat/config/default_structured_configs.py; Szot et al. 2021, arXiv:2106.14405).
 */
export class ForceViolations extends ForceSteps {
  readonly info: MetricInfo = {
    name: "force_violations",
    summary:
      "Number of control steps in which the robot pressed on walls or furniture with 20 N or more.",
    unit: "1",
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: ["collision_n"] },
  };

  constructor(config: MetricConfig = {}) {
    super(config, "force_violations", LIMIT_N);
  }
}

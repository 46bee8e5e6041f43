import type { MetricConfig, MetricInfo } from "../../core/metric/base.js";
import { ForceSteps } from "../shared/force-steps.js";

/** Newtons; weaker contacts are grazes. */
const COLLISION_N = 1;

/**
 * How many control steps the robot collided in: records whose `collision_n`, the sum of the normal forces between the
 * robot and everything fixed to the ground except the floor, is at least 1 N.
 *
 * `metric_config.robot_collisions.force_n` sets another force. Movable objects do not count.
 *
 * A whole number, [0, inf), lower is better.
 *
 * Source: `robot_scene_colls` of habitat-lab's RobotCollisions (Szot et al. 2021, arXiv:2106.14405), which counts every
 * contact, however weak.
 */
export class RobotCollisions extends ForceSteps {
  readonly info: MetricInfo = {
    name: "robot_collisions",
    summary: "Number of control steps in which the robot pressed on walls or furniture.",
    unit: "1",
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: ["collision_n"] },
  };

  constructor(config: MetricConfig = {}) {
    super(config, "robot_collisions", COLLISION_N);
  }
}

import type { BaseEpisode } from "../../core/episode/base.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricContext } from "../../core/metric/base.js";
import { rulesOf } from "../../core/profiles.js";
import type { BaseTask } from "../../core/task/base.js";
import { PathComparison } from "./path-comparison.js";

/** A metric that compares the travelled path with the reference path, once the episode is over. */
export abstract class PathMetric extends BaseMetric {
  protected readonly paths = new PathComparison();
  /** The scale by which deviations are normalised, in metres. */
  protected successDistanceM = 0;

  reset(episode: BaseEpisode, task: BaseTask, context?: MetricContext): void {
    this.paths.reset(episode, task, context);
    this.successDistanceM = rulesOf(task.taskType, task.config).successDistanceM;
  }

  update(record: StepRecord): void {
    this.paths.update(record);
  }
}

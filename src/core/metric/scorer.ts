import type { BaseEpisode } from "../episode/base.js";
import { DataError } from "../errors.js";
import type { StepRecord } from "../interfaces/step.js";
import type { BaseTask } from "../task/base.js";
import type { BaseMetric, MetricContext } from "./base.js";

/** The value of each metric, by name; null if a metric has none for this episode. */
export type MetricValues = Readonly<Record<string, number | null>>;

/**
 * Runs a set of metrics over one episode at a time. Used by live evaluation, re-scoring and the scoring of
 * submissions.
 */
export class EpisodeScorer {
  #first = true;

  constructor(
    private readonly task: BaseTask,
    private readonly metrics: readonly BaseMetric[],
  ) {}

  reset(episode: BaseEpisode, context: MetricContext): void {
    this.#first = true;
    for (const metric of this.metrics) {
      if (metric.info.needs.distance && !context.distance) {
        throw new DataError(
          "no_scene",
          `metric "${metric.metricName}" needs the scene's distances`,
          {
            hint: "provide the scene (for a navigation graph, --connectivity DIR), or omit the metric",
          },
        );
      }
      metric.reset(episode, this.task, context);
    }
  }

  update(record: StepRecord): void {
    if (this.#first) this.#checkFirst(record);
    this.#first = false;
    for (const metric of this.metrics) metric.update(record);
  }

  /** @param ending `broken_off` if the episode ended by an agent fault, which is never a success */
  values(ending: "complete" | "broken_off" = "complete"): MetricValues {
    const out: Record<string, number | null> = {};
    for (const metric of this.metrics) {
      const gated = ending === "broken_off" && metric.info.gatedBySuccess;
      const value = gated ? 0 : metric.getMetric();
      out[metric.metricName] = value !== null && Number.isFinite(value) ? value : null;
    }
    return out;
  }

  /** Rejects an episode that cannot be scored at its first record, so that no wrong values are reported. */
  #checkFirst(record: StepRecord): void {
    if (record.state.distance_to_goal === Number.POSITIVE_INFINITY) {
      throw new DataError("unreachable_goal", "no path leads from the start to the goal");
    }
    for (const { metricName, info } of this.metrics) {
      for (const need of info.needs.state) {
        const has = need === "time_s" ? record.time_s : record.state[need];
        if (has === undefined) {
          throw new DataError(
            "missing_state",
            `metric "${metricName}" needs ${need}, but the step records have none`,
            { hint: "omit the metric, or use a simulator that records it" },
          );
        }
      }
    }
  }
}

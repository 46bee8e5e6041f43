import type { BaseEpisode } from "../../core/episode/base.js";
import type { Outcome } from "../../core/interfaces/result.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import type { BaseMetric } from "../../core/metric/base.js";
import { EpisodeScorer, type MetricValues } from "../../core/metric/scorer.js";
import type { SceneDistance } from "../../core/scene/scene-point.js";
import type { BaseTask } from "../../core/task/base.js";
import { EpisodeSummaryBuilder } from "../../core/task/episode-summary.js";

/** What a recorded episode is scored with. */
export interface Judge {
  readonly task: BaseTask;
  readonly metrics: readonly BaseMetric[];
  readonly distance: SceneDistance | undefined;
}

export interface Verdict {
  readonly metrics: MetricValues;
  readonly outcome: Outcome;
  readonly explanation: string;
}

/** Scores recorded steps exactly as in a live run. */
export function scoreEpisode(
  judge: Judge,
  episode: BaseEpisode,
  records: readonly StepRecord[],
  ending: { readonly reason: string; readonly brokenOff: boolean },
): Verdict {
  const { task, distance } = judge;
  const scorer = new EpisodeScorer(task, judge.metrics);
  scorer.reset(episode, distance ? { distance } : {});
  const builder = new EpisodeSummaryBuilder();
  for (const record of records) {
    scorer.update(record);
    builder.add(record);
  }
  const metrics = scorer.values(ending.brokenOff ? "broken_off" : "complete");
  const succeeded = metrics[task.primaryMetric] === 1;
  return {
    metrics,
    outcome: succeeded ? "success" : "failure",
    explanation: task.explain({ succeeded, endReason: ending.reason, episode, ...builder.summary }),
  };
}

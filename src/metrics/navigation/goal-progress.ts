import { type BaseEpisode, goalPoints } from "../../core/episode/base.js";
import { DataError, show } from "../../core/errors.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricContext, type MetricInfo } from "../../core/metric/base.js";
import {
  distanceToAny,
  type SceneDistance,
  type ScenePoint,
} from "../../core/scene/scene-point.js";
import type { BaseTask } from "../../core/task/base.js";
import { stateOf } from "../shared/state-of.js";

/**
 * How much closer to the goal region the robot is at the end than at the start.
 *
 *     goal_progress = d(start, G) - d(end, G),   d(x, G) = min over g in G of the scene's distance
 *
 * G is `goals.progress_nodes` (names of graph nodes) if the episode has them, else its goals. In NDH
 * these are the `end_panos`, all viewpoints of the target region. Trap: NDH's success and SPL, and with
 * them `distance_to_goal` of the records, refer to a single node, the end of the supervising path, so
 * that field cannot be used here. For the authors' log of val_unseen at iteration 100, the end_panos
 * give the logged 0.3965 m; the supervising path's end would give -0.4578 m.
 *
 * Metres, higher is better; negative when the robot moved away, 0 when it never moved.
 * Null when there is no goal, or no path to it from the start or the end.
 *
 * Source: Thomason et al. 2019, "Vision-and-Dialog Navigation" (arXiv:1907.04957).
 */
export class GoalProgress extends BaseMetric {
  readonly info: MetricInfo = {
    name: "goal_progress",
    summary: "Reduction of the distance to the goal region from start to end.",
    unit: "m",
    direction: "higher",
    range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: ["position"], distance: true },
  };

  #distance: SceneDistance | undefined;
  #goals: readonly ScenePoint[] = [];
  #start: ScenePoint | undefined;
  #end: ScenePoint | undefined;

  reset(episode: BaseEpisode, _task: BaseTask, context?: MetricContext): void {
    this.#distance = context?.distance;
    this.#goals = this.#progressPlaces(episode) ?? goalPoints(episode);
    this.#start = undefined;
    this.#end = undefined;
  }

  update(record: StepRecord): void {
    this.#end = { position: stateOf(record, "position"), node: record.state.node };
    this.#start ??= this.#end;
  }

  getMetric(): number | null {
    if (!this.#distance || !this.#start || !this.#end) return null;
    const before = distanceToAny(this.#distance, this.#start, this.#goals);
    const after = distanceToAny(this.#distance, this.#end, this.#goals);
    return Number.isFinite(before) && Number.isFinite(after) ? before - after : null;
  }

  #progressPlaces(episode: BaseEpisode): ScenePoint[] | undefined {
    const nodes = episode.goals.progress_nodes;
    if (nodes === undefined) return undefined;
    if (Array.isArray(nodes) && nodes.length > 0 && nodes.every((n) => typeof n === "string")) {
      // The graph knows where its nodes are. NaN makes the distance undefined in a scene without nodes.
      return nodes.map((node) => ({ position: [Number.NaN, Number.NaN, Number.NaN], node }));
    }
    throw new DataError(
      "bad_goals",
      `progress_nodes must be a list of one or more node names, got ${show(nodes)}`,
      {
        where: `episode ${episode.episodeId}, goals.progress_nodes`,
        hint: "leave it out to measure progress towards the episode's goal",
      },
    );
  }
}

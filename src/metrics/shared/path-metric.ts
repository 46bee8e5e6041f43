import { type BaseEpisode, referencePoints } from "../../core/episode/base.js";
import { DataError } from "../../core/errors.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { dtw, dtwPoints } from "../../core/math/dtw.js";
import { distance3, samePoint } from "../../core/math/vec3.js";
import { BaseMetric, type MetricContext } from "../../core/metric/base.js";
import { type Rules, rulesOf } from "../../core/profiles.js";
import type { SceneDistance, ScenePoint } from "../../core/scene/scene-point.js";
import type { BaseTask } from "../../core/task/base.js";
import { stateOf } from "./state-of.js";

/**
 * A metric that compares the travelled path with the reference path once the episode is over: DTW, nDTW, sDTW, CLS.
 *
 * The path P begins at the start and skips consecutive identical positions (turning on the spot,
 * stopping), as VLN-CE does. The reference R is the episode's path or its dense path, unchanged; the
 * ground distance is Euclidean or the scene's shortest-path distance. The profile chooses both.
 */
export abstract class PathMetric extends BaseMetric {
  protected path: ScenePoint[] = [];
  protected reference: readonly ScenePoint[] = [];
  protected ground: SceneDistance = euclidean;
  /** The scale by which deviations are normalised, in metres. */
  protected successDistanceM = 0;

  reset(episode: BaseEpisode, task: BaseTask, context: MetricContext = {}): void {
    const rules = rulesOf(task.taskType, task.config);
    this.path = [];
    this.reference = referencePoints(episode, rules.reference);
    this.ground = groundOf(rules, context);
    this.successDistanceM = rules.successDistanceM;
  }

  update(record: StepRecord): void {
    const position = stateOf(record, "position");
    const before = this.path.at(-1);
    if (before && samePoint(before.position, position)) return;
    this.path.push({ position, node: record.state.node });
  }

  /** Whether both paths exist: the episode has a reference and there is at least one record. */
  protected get comparable(): boolean {
    return this.path.length > 0 && this.reference.length > 0;
  }

  /** Exact, no window; metres. */
  protected dtw(): number {
    const [p, r] = [this.path, this.reference];
    if (this.ground === euclidean) {
      return dtwPoints(
        p.map((place) => place.position),
        r.map((place) => place.position),
      );
    }
    return dtw(p.length, r.length, (i, j) => this.ground(p[i] as ScenePoint, r[j] as ScenePoint));
  }

  /** Sum of ground distances between consecutive places. */
  protected length(places: readonly ScenePoint[]): number {
    let sum = 0;
    for (let i = 1; i < places.length; i++) {
      sum += this.ground(places[i - 1] as ScenePoint, places[i] as ScenePoint);
    }
    return sum;
  }
}

function euclidean(a: ScenePoint, b: ScenePoint): number {
  return distance3(a.position, b.position);
}

function groundOf(rules: Rules, context: MetricContext): SceneDistance {
  if (rules.ground === "euclidean") return euclidean;
  if (context.distance) return context.distance;
  // Falling back to straight lines would give a different but plausible value under the same name.
  throw new DataError(
    "no_scene",
    `profile "${rules.name}" measures dtw, ndtw, sdtw and cls along the scene's paths, but no scene was given`,
    {
      hint: "provide the scene (for a navigation graph, --connectivity DIR), use a profile with Euclidean ground distance, or omit these metrics",
    },
  );
}

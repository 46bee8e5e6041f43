import { BaseEpisode, type EpisodeInit } from "../../src/core/episode/base.js";
import type { Action } from "../../src/core/interfaces/action.js";
import type { StepRecord, StepState } from "../../src/core/interfaces/step.js";
import { distance3, type Vec3 } from "../../src/core/math/vec3.js";
import type { BaseMetric, MetricContext } from "../../src/core/metric/base.js";
import { EpisodeScorer } from "../../src/core/metric/scorer.js";
import {
  distanceToAny,
  type SceneDistance,
  type ScenePoint,
} from "../../src/core/scene/scene-point.js";
import { BaseTask, type TaskConfig } from "../../src/core/task/base.js";
import { ActionSpace, SensorSuite } from "../../src/core/task/types.js";

/** A minimal task: metrics read only its type and its config. */
export class BareTask extends BaseTask {
  get taskType(): string {
    return "vln";
  }
  get taskName(): string {
    return "bare";
  }
  get actionSpace(): ActionSpace {
    return new ActionSpace({ name: "discrete", actions: ["move_forward", "stop"] });
  }
  get sensorSuite(): SensorSuite {
    return new SensorSuite({ sensors: {} });
  }
  get primaryMetric(): string {
    return "success";
  }
  checkEpisodeComplete(): boolean {
    return false;
  }
}

/** A task with the given profile and further config. */
export function taskUnder(profile: string, config: TaskConfig = {}): BareTask {
  return new BareTask({ profile, ...config });
}

export function makeEpisode(init: Partial<EpisodeInit> = {}): BaseEpisode {
  return new BaseEpisode({ episodeId: "e1", taskType: "vln", sceneId: "s1", ...init });
}

/** One step in a test. The first of a list is the state after reset. */
export interface Step {
  readonly action?: Action;
  readonly timeS?: number;
  readonly state: StepState;
}

function toRecords(steps: readonly Step[]): StepRecord[] {
  return steps.map(({ action, timeS, state }, step) => ({
    step,
    ...(timeS === undefined ? {} : { time_s: timeS }),
    action: step === 0 ? null : (action ?? "move_forward"),
    state,
  }));
}

/** Steps of a robot at these successive distances from its goal. */
export function atDistances(...distances: readonly number[]): Step[] {
  return distances.map((distance_to_goal) => ({ state: { distance_to_goal } }));
}

/** Steps through these positions. */
export function atPositions(...positions: readonly Vec3[]): Step[] {
  return positions.map((position) => ({ state: { position } }));
}

/** Steps through these positions, each with its distance to the nearest goal. */
export function walk(
  places: readonly ScenePoint[],
  goals: readonly ScenePoint[],
  distance: SceneDistance = (a, b) => distance3(a.position, b.position),
): Step[] {
  return places.map((place) => ({
    state: {
      position: place.position,
      ...(place.node === undefined ? {} : { node: place.node }),
      distance_to_goal: distanceToAny(distance, place, goals),
    },
  }));
}

/** The same steps followed by stop. */
export function thenStop(steps: readonly Step[]): Step[] {
  const last = steps.at(-1);
  return last ? [...steps, { ...last, action: "stop" }] : [];
}

export interface Setting {
  readonly task?: BaseTask;
  readonly episode?: BaseEpisode;
  readonly context?: MetricContext;
}

/** The value of a metric, computed directly. */
export function measure(
  metric: BaseMetric,
  steps: readonly Step[],
  setting: Setting = {},
): number | null {
  const { task = taskUnder("design"), episode = makeEpisode(), context } = setting;
  metric.reset(episode, task, context);
  for (const record of toRecords(steps)) metric.update(record);
  return metric.getMetric();
}

/** The value of a metric through the scorer, which checks the metric's declaration. */
export function score(
  metric: BaseMetric,
  steps: readonly Step[],
  setting: Setting = {},
): number | null {
  const { task = taskUnder("design"), episode = makeEpisode(), context = {} } = setting;
  const scorer = new EpisodeScorer(task, [metric]);
  scorer.reset(episode, context);
  for (const record of toRecords(steps)) scorer.update(record);
  return scorer.values()[metric.metricName] ?? null;
}

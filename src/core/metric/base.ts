import type { BaseEpisode } from "../episode/base.js";
import type { StepRecord } from "../interfaces/step.js";
import type { SceneDistance } from "../scene/scene-point.js";
import type { BaseTask } from "../task/base.js";

export type MetricConfig = Readonly<Record<string, unknown>>;

/** A field of the step state that a metric reads. */
export type StateNeed =
  | "position"
  | "distance_to_goal"
  | "qpos"
  | "ee_pose"
  | "success"
  | "stages"
  | "objects"
  | "base_pose"
  | "collision_n"
  | "time_s";

/** Description of a metric, for tables, reports and statistics. */
export interface MetricInfo {
  readonly name: string;
  /** One sentence, for `describe` and tooltips. */
  readonly summary: string;
  /** `m`, `s`, or `1` for a dimensionless number. */
  readonly unit: string;
  readonly direction: "higher" | "lower" | "none";
  /** Lowest and highest possible value. */
  readonly range: readonly [number, number];
  /** A rate is 0 or 1 per episode and has a Wilson interval; anything else is a mean. */
  readonly kind: "rate" | "mean";
  /**
   * The metric is 0 without success. An episode that ended by an agent fault is never a success, so its value
   * is 0 whatever the last state was.
   */
  readonly gatedBySuccess?: true;
  readonly needs: {
    readonly state: readonly StateNeed[];
    /** The metric calls the scene's `distance`. */
    readonly distance?: boolean;
    /** The metric compares with the episode's reference. */
    readonly reference?: "path" | "trajectory";
  };
}

/** What the scorer passes to a metric in addition to the records. */
export interface MetricContext {
  /** Shortest-path distance in the episode's scene; present if the metric declares that it needs it. */
  readonly distance?: SceneDistance;
}

/**
 * Computes one number per episode from its step records. Call `reset`, then `update` for each record in order
 * (the first is the state after reset), then `getMetric`. A metric has no access to the simulator or the agent.
 *
 * @example
 * class Turns extends BaseMetric {
 *   readonly info: MetricInfo = {
 *     name: "turns",
 *     summary: "Number of turns on the spot.",
 *     unit: "1",
 *     direction: "lower",
 *     range: [0, Number.POSITIVE_INFINITY],
 *     kind: "mean",
 *     needs: { state: [] },
 *   };
 *   #count = 0;
 *   reset() {
 *     this.#count = 0;
 *   }
 *   update({ action }: StepRecord) {
 *     if (action === "turn_left" || action === "turn_right") this.#count++;
 *   }
 *   getMetric() {
 *     return this.#count;
 *   }
 * }
 */
export abstract class BaseMetric {
  abstract readonly info: MetricInfo;

  constructor(readonly config: MetricConfig = {}) {}

  get metricName(): string {
    return this.info.name;
  }

  abstract reset(episode: BaseEpisode, task: BaseTask, context?: MetricContext): void;
  abstract update(record: StepRecord): void;
  /** The value so far; null if the metric has none (no reference, never succeeded). */
  abstract getMetric(): number | null;

  computeAggregated(values: readonly number[]): Aggregate {
    return aggregate(values);
  }
}

export interface MetricClass {
  new (config?: MetricConfig): BaseMetric;
}

/** An empty set has no mean: the count is 0 and the rest is null. */
export interface Aggregate {
  readonly mean: number | null;
  /** Population standard deviation (ddof 0). */
  readonly std: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly count: number;
}

export function aggregate(values: readonly number[]): Aggregate {
  const count = values.length;
  if (count === 0) return { mean: null, std: null, min: null, max: null, count };
  let sum = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    sum += value;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const mean = sum / count;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return { mean, std: Math.sqrt(squares / count), min, max, count };
}

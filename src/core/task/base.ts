import type { ZodType } from "zod";
import { RobotEvalError } from "../errors.js";
import type { Action } from "../interfaces/action.js";
import type { StepState } from "../interfaces/step.js";
import type { MetricClass } from "../metric/base.js";
import { commonConventions, type TaskConventions } from "./conventions.js";
import type { ActionSpace, SensorSuite } from "./types.js";

/** A task's settings as they stand in the YAML, so with its snake_case keys. */
export type TaskConfig = Readonly<Record<string, unknown>>;

/** What a task is asked about: the newest step's state, and how far the episode has come. */
export interface TaskState extends StepState {
  readonly num_steps?: number;
  readonly last_action?: Action;
}

/** How an episode ended. Tasks may add their own words. */
export type EndReason = string;

/** An episode in retrospect, for its one-sentence explanation. */
export interface EpisodeEnd {
  readonly succeeded: boolean;
  readonly endReason: EndReason;
  readonly steps: number;
  readonly lastState: StepState;
  /** Least `distance_to_goal` of all steps, start included; Infinity where there was none. */
  readonly closestM: number;
  /** The first step at which it was that near. */
  readonly closestStep: number;
  readonly collisions: number;
  /** Steps at the end, from a collision on, in which the agent got nowhere. */
  readonly stuckSteps: number;
  /** What else there is to tell of a robot that handled things. */
  readonly handling?: HandlingCourse;
}

/** How the handling of things went, over all steps. */
export interface HandlingCourse {
  /** Least `reach_m`; Infinity where there was none. */
  readonly closestReachM: number;
  /** By the name of a stage, for those that held at some time. */
  readonly stages: Readonly<Record<string, StageMemory>>;
  /** Of each number of `qpos`, the steps at the end in which it hardly changed. */
  readonly stillSteps: readonly number[];
  readonly lastAction: Action | null;
}

/** When a stage held, and what came of it. */
export interface StageMemory {
  readonly first: number;
  readonly last: number;
  /** The state of the last step in which it held. */
  readonly state: StepState;
  /** The state of the step after that; absent where it held to the end. */
  readonly after?: StepState;
}

/** A robot as the core knows it; what more there is to it is in its descriptor. */
export interface NamedRobot {
  readonly robotType: string;
}

/** What a task may ask of the house it lives in. */
export interface TaskDeps {
  /** Finds metric classes by name; `getTask(type, config)` passes the registry's. */
  readonly metricClass?: (name: string) => MetricClass;
  /** The robots that there are; `getTask(type, config)` passes the registry's. */
  readonly robots?: {
    find(robotType: string): NamedRobot | undefined;
    list(): readonly string[];
  };
}

/**
 * A kind of thing a robot can be asked to do: what it may do (actions), what it sees (sensors), when
 * an episode is over, and which metrics judge it. Simulators and policies know nothing of each other;
 * both know the task.
 */
export abstract class BaseTask {
  readonly config: TaskConfig;
  readonly #deps: TaskDeps;

  constructor(config: TaskConfig = {}, deps: TaskDeps = {}) {
    this.config = config;
    this.#deps = deps;
  }

  /** The house's, for what the task looks up by name. */
  protected get deps(): TaskDeps {
    return this.#deps;
  }

  /** `vln`, `pick_place`, ...: the name in configs, episodes and messages. */
  abstract get taskType(): string;
  /** For people. */
  abstract get taskName(): string;

  /** `navigation`, `manipulation`, or a plugin's own: which simulators can serve the task. */
  get family(): string {
    return "custom";
  }

  abstract get actionSpace(): ActionSpace;
  abstract get sensorSuite(): SensorSuite;

  /** What the numbers of its actions and observations mean. */
  get conventions(): TaskConventions {
    return commonConventions(this.actionSpace);
  }

  /** Whether the episode is over. */
  abstract checkEpisodeComplete(state: TaskState): boolean;

  /** Why it is over, or null while it goes on. */
  endReason(state: TaskState): EndReason | null {
    return this.checkEpisodeComplete(state) ? "complete" : null;
  }

  /** Why the episode came out as it did, in one sentence with its numbers. */
  explain(end: EpisodeEnd): string {
    return `${end.succeeded ? "succeeded" : "failed"} after ${end.steps} steps (${end.endReason})`;
  }

  /** The metric whose value of 1 makes an episode a success. It is computed even when not asked for. */
  abstract get primaryMetric(): string;

  get metricNames(): readonly string[] {
    const named = this.config.metrics;
    return Array.isArray(named) ? named.map(String) : this.defaultMetrics;
  }

  /** The metrics of a task whose config names none. */
  get defaultMetrics(): readonly string[] {
    return [this.primaryMetric];
  }

  /** The classes of the task's metrics. */
  getMetrics(): MetricClass[] {
    const find = this.#deps.metricClass;
    if (!find) {
      throw new RobotEvalError(
        "no_metric_registry",
        `this ${this.taskType} task was made without a metric registry`,
        { hint: `make it with getTask("${this.taskType}", config)`, exitCode: 1 },
      );
    }
    return this.metricNames.map(find);
  }
}

export type TaskConfigSchema = ZodType | ((deps: TaskDeps) => ZodType);

export interface TaskClass {
  new (config?: TaskConfig, deps?: TaskDeps): BaseTask;
  /**
   * Checks `config` where a benchmark is loaded, so that an error can name its line; a function where it depends
   * on what is registered.
   */
  readonly configSchema?: TaskConfigSchema;
}

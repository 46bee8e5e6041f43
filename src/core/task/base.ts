import type { ZodType } from "zod";
import type { BaseEpisode } from "../episode/base.js";
import { RobotEvalError } from "../errors.js";
import type { Action } from "../interfaces/action.js";
import type { StepState } from "../interfaces/step.js";
import type { MetricClass } from "../metric/base.js";
import type { CriteriaPresets, SuccessCriteria } from "../rules/criteria.js";
import type { Predicates } from "../rules/predicate.js";
import { builtInPredicates } from "../rules/predicates/index.js";
import { commonConventions, type TaskConventions } from "./conventions.js";
import type { ActionSpace, SensorSuite } from "./types.js";

/** A task's settings as in the YAML file, with snake_case keys. */
export type TaskConfig = Readonly<Record<string, unknown>>;

/** The latest step's state, with the number of steps and the last action. */
export interface TaskState extends StepState {
  readonly num_steps?: number;
  readonly last_action?: Action;
}

/** Why an episode ended. Tasks may define their own reasons. */
export type EndReason = string;

/** A finished episode, as `explain` receives it. */
export interface EpisodeEnd {
  readonly succeeded: boolean;
  readonly endReason: EndReason;
  readonly steps: number;
  readonly lastState: StepState;
  /** Least `distance_to_goal` of all steps, including the start; Infinity if there was none. */
  readonly closestM: number;
  /** The first step with that distance. */
  readonly closestStep: number;
  readonly collisions: number;
  /** Consecutive steps at the end, from a collision on, in which the robot did not move. */
  readonly stuckSteps: number;
  /** Manipulation only. */
  readonly handling?: ManipulationSummary;
  /** What the sentence is about, for words that the task's config does not have. */
  readonly episode?: BaseEpisode;
}

/** A summary of all steps of a manipulation episode. */
export interface ManipulationSummary {
  /** Least `reach_m`; Infinity if there was none. */
  readonly closestReachM: number;
  /** The stages that held at some step, by name. */
  readonly stages: Readonly<Record<string, StageHistory>>;
  /** For each number of `qpos`, how many steps at the end it hardly changed. */
  readonly stillSteps: readonly number[];
  /** Least and most of each number of the states, by name. */
  readonly extremes: Readonly<Record<string, Extremes>>;
  /** The steps at which the rule's measure `carried` was 1. */
  readonly carried?: StageHistory;
  readonly lastAction: Action | null;
}

interface Extremes {
  readonly least: number;
  readonly most: number;
}

/** The first and last step at which a stage held. */
export interface StageHistory {
  readonly first: number;
  readonly last: number;
  /** The state of the last step at which it held. */
  readonly state: StepState;
  /** The state of the following step; absent if the stage held at the end. */
  readonly after?: StepState;
}

/** The part of a robot descriptor that the core needs. */
export interface NamedRobot {
  readonly robotType: string;
}

/** Dependencies that the registry passes to tasks. */
export interface TaskDeps {
  /** Finds metric classes by name; `getTask(type, config)` passes the registry's. */
  readonly metricClass?: (name: string) => MetricClass;
  /** The registered robots; `getTask(type, config)` passes the registry's. */
  readonly robots?: {
    find(robotType: string): NamedRobot | undefined;
    list(): readonly string[];
  };
  /** What success rules may name; `getTask(type, config)` passes the registry's. */
  readonly predicates?: Predicates;
  /** Success criteria by name; `getTask(type, config)` passes the registry's. */
  readonly presets?: CriteriaPresets;
}

/**
 * A type of task: its actions, its sensors, when an episode is over, and its metrics. Simulators and policies
 * depend on the task and not on each other.
 *
 * @example
 * class WaitTask extends BaseTask {
 *   readonly taskType = "wait";
 *   readonly taskName = "Wait";
 *   readonly primaryMetric = "success";
 *   readonly actionSpace = new ActionSpace({ name: "discrete", actions: ["stop"] });
 *   readonly sensorSuite = new SensorSuite({ sensors: {} });
 *   checkEpisodeComplete({ num_steps = 0 }: TaskState) {
 *     return num_steps >= 10;
 *   }
 * }
 */
export abstract class BaseTask {
  constructor(
    readonly config: TaskConfig = {} /** For lookups by name. */,
    readonly deps: TaskDeps = {},
  ) {}

  /**
   * Called by `getTask(type, config)`, whose config was not checked as that of a file.
   *
   * @throws ConfigError if the settings cannot be used
   */
  checkConfig(): void {}

  /** `vln`, `pick_place`, ...: the name in configs, episodes and messages. */
  abstract get taskType(): string;
  /** Display name. */
  abstract get taskName(): string;

  /** `navigation`, `manipulation`, or a plugin's own: determines which simulators support the task. */
  get family(): string {
    return "custom";
  }

  abstract get actionSpace(): ActionSpace;
  abstract get sensorSuite(): SensorSuite;

  /** The meaning of the numbers in its actions and observations. */
  get conventions(): TaskConventions {
    return commonConventions(this.actionSpace);
  }

  /** Whether the episode is over. */
  abstract checkEpisodeComplete(state: TaskState): boolean;

  /** Why the episode is over, or null while it is running. */
  endReason(state: TaskState): EndReason | null {
    return this.checkEpisodeComplete(state) ? "complete" : null;
  }

  /**
   * The success rule and the stages of an episode, as rules over facts. Undefined if metrics alone decide, as in
   * navigation.
   *
   * @throws DataError if the goals or the config contain an invalid rule
   */
  get successCriteria(): SuccessCriteria | undefined {
    return undefined;
  }

  /**
   * Checks `goals` and `success_criteria` in the task's config for parts that no episode can use. It is not applied to
   * recorded runs, so it may be stricter than `configSchema`.
   */
  get goalsSchema(): ZodType | undefined {
    return undefined;
  }

  /** The criteria for a simulator that records no facts and decides success itself. */
  get reportedCriteria(): SuccessCriteria | undefined {
    return this.successCriteria;
  }

  /** The predicates that rules may use. */
  get predicates(): Predicates {
    return this.deps.predicates ?? builtInPredicates;
  }

  /** One sentence that explains the episode's outcome, with its numbers. */
  explain(end: EpisodeEnd): string {
    return `${end.succeeded ? "succeeded" : "failed"} after ${end.steps} steps (${end.endReason})`;
  }

  /** An episode is a success if this metric is 1. It is computed even if the config does not name it. */
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
    const find = this.deps.metricClass;
    if (!find) {
      throw new RobotEvalError(
        "no_metric_registry",
        `this ${this.taskType} task was created without a metric registry`,
        { hint: `create it with getTask("${this.taskType}", config)`, exitCode: 1 },
      );
    }
    return this.metricNames.map(find);
  }
}

export type TaskConfigSchema = ZodType | ((deps: TaskDeps) => ZodType);

export interface TaskClass {
  new (config?: TaskConfig, deps?: TaskDeps): BaseTask;
  /**
   * Checks `config` when a benchmark is loaded, so that an error can name its line. A function if the schema
   * depends on what is registered.
   */
  readonly configSchema?: TaskConfigSchema;
}

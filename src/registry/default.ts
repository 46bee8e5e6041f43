import type { BaseMetric, MetricClass, MetricConfig } from "../core/metric/base.js";
import type { BaseTask, TaskClass, TaskConfig } from "../core/task/base.js";
import { createRegistries, type Registries } from "./registries.js";

let shared: Registries | undefined;

/** The registries behind `registerTask`, `getTask` and similar functions, created on first use. */
export function defaultRegistries(): Registries {
  shared ??= createRegistries();
  return shared;
}

/**
 * Adds a task type to the default registries; as a call or as a decorator.
 *
 * @example
 * class SortingTask extends PickAndPlaceTask {
 *   override get taskType() {
 *     return "sorting";
 *   }
 * }
 * registerTask("sorting", "Sorting")(SortingTask);
 */
export function registerTask(taskType: string, taskName?: string) {
  return defaultRegistries().tasks.register(taskType, taskName);
}

/**
 * A task's class or, with a config, an instance.
 *
 * @example
 * const task = getTask("vln", { max_steps: 100 });
 * task.actionSpace.actions; // ["stop", "move_forward", "turn_left", "turn_right"]
 */
export function getTask(taskType: string): TaskClass;
export function getTask(taskType: string, config: TaskConfig): BaseTask;
export function getTask(taskType: string, config?: TaskConfig): TaskClass | BaseTask {
  const { tasks } = defaultRegistries();
  return config === undefined ? tasks.get(taskType) : tasks.get(taskType, config);
}

/**
 * The task types of the default registries.
 *
 * @example
 * listTasks(); // ["vln", "objectnav", "image_nav", "manipulation", "pick_place", ...]
 */
export function listTasks(): string[] {
  return defaultRegistries().tasks.list();
}

/**
 * Adds a metric to the default registries; as a call or as a decorator.
 *
 * @example
 * class Arrived extends NavigationSuccess {
 *   override readonly info = { ...getMetric("success", {}).info, name: "arrived" };
 * }
 * registerMetric("arrived")(Arrived);
 */
export function registerMetric(metricName: string) {
  return defaultRegistries().metrics.register(metricName);
}

/**
 * A metric's class or, with a config, an instance.
 *
 * @example
 * getMetric("spl", {}).info.unit; // "1"
 * getMetric("spl"); // the class, exported as SPL
 */
export function getMetric(metricName: string): MetricClass;
export function getMetric(metricName: string, config: MetricConfig): BaseMetric;
export function getMetric(metricName: string, config?: MetricConfig): MetricClass | BaseMetric {
  const { metrics } = defaultRegistries();
  return config === undefined ? metrics.get(metricName) : metrics.get(metricName, config);
}

/**
 * The metric names of the default registries.
 *
 * @example
 * listMetrics(); // ["success", "spl", "soft_spl", "navigation_error", ...]
 */
export function listMetrics(): string[] {
  return defaultRegistries().metrics.list();
}

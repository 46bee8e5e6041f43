import type { BaseMetric, MetricClass, MetricConfig } from "../core/metric/base.js";
import type { BaseTask, TaskClass, TaskConfig } from "../core/task/base.js";
import { createRegistries, type Registries } from "./registries.js";

let shared: Registries | undefined;

/** What `registerTask` and `registerMetric` added to the built-ins. */
const registered = { tasks: new Map<string, TaskClass>(), metrics: new Map<string, MetricClass>() };

/** The registries behind `registerTask`, `getTask` and similar functions, created on first use. */
export function defaultRegistries(): Registries {
  shared ??= createRegistries();
  return shared;
}

/**
 * Registries for one evaluation: the built-ins, and what this program registered so far. Plugins that the evaluation
 * loads into them do not reach other evaluations.
 */
export function programRegistries(): Registries {
  const registries = createRegistries();
  const { tasks } = defaultRegistries();
  for (const [type, task] of registered.tasks) {
    registries.tasks.register(type, tasks.nameOf(type))(task);
  }
  for (const [name, metric] of registered.metrics) registries.metrics.register(name)(metric);
  return registries;
}

/** Which of these tasks and their metrics this program registered: `the task "x" and the metric "y"`. */
export function registeredInProgram(
  tasks: readonly { readonly type: string; readonly metricNames: readonly string[] }[],
): readonly string[] {
  const types = tasks.map(({ type }) => type).filter((type) => registered.tasks.has(type));
  const metrics = tasks
    .flatMap(({ metricNames }) => metricNames)
    .filter((name) => registered.metrics.has(name));
  return [
    ...[...new Set(types)].map((type) => `the task "${type}"`),
    ...[...new Set(metrics)].map((name) => `the metric "${name}"`),
  ];
}

/**
 * Adds a task type for this program: `getTask` and every later evaluation know it, except evaluations with
 * `registries` of their own. As a call or as a decorator.
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
  return <C extends TaskClass>(taskClass: C, _context?: ClassDecoratorContext<C>): C => {
    defaultRegistries().tasks.register(taskType, taskName)(taskClass);
    registered.tasks.set(taskType, taskClass);
    return taskClass;
  };
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
 * Adds a metric for this program: `getMetric` and every later evaluation know it, except evaluations with
 * `registries` of their own. As a call or as a decorator.
 *
 * @example
 * class Arrived extends NavigationSuccess {
 *   override readonly info = { ...getMetric("success", {}).info, name: "arrived" };
 * }
 * registerMetric("arrived")(Arrived);
 */
export function registerMetric(metricName: string) {
  return <C extends MetricClass>(metricClass: C, _context?: ClassDecoratorContext<C>): C => {
    defaultRegistries().metrics.register(metricName)(metricClass);
    registered.metrics.set(metricName, metricClass);
    return metricClass;
  };
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

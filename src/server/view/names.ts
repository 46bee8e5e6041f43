import type { MetricSummary, RunSummary } from "../../core/interfaces/result.js";
import type { MetricInfo } from "../../core/metric/base.js";
import { MetricRegistry } from "../../core/metric/registry.js";
import type { BaseTask, TaskConfig } from "../../core/task/base.js";
import { TaskRegistry } from "../../core/task/registry.js";
import { registerMetrics } from "../../registry/metrics.js";
import { registerTasks } from "../../registry/tasks.js";
import type { MetricNote } from "./documents.js";

/**
 * Built-in metrics and tasks. Plugins are not loaded, because viewing another person's run must not execute its code.
 */
const metrics = new MetricRegistry();
registerMetrics(metrics);
const tasks = new TaskRegistry({});
registerTasks(tasks);

/** Notes on each metric of the run; those of plugin metrics come from the summary. */
export function metricNotes({ per_task }: RunSummary): Record<string, MetricNote> {
  const notes: Record<string, MetricNote> = {};
  for (const table of Object.values(per_task)) {
    for (const [name, summary] of Object.entries(table)) notes[name] ??= noteOf(name, summary);
  }
  return notes;
}

function noteOf(name: string, { unit, direction }: MetricSummary): MetricNote {
  const { summary = "", range = [-Infinity, Infinity] } = metricInfo(name) ?? {};
  return { summary, unit, direction, range: [finite(range[0]), finite(range[1])] };
}

/** Undefined for a plugin's metric. */
export function metricInfo(name: string): MetricInfo | undefined {
  return metrics.has(name) ? metrics.get(name, {}).info : undefined;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** `navigation`, `manipulation`, or `custom` for a plugin's task. */
export function familyOf(taskType: string): string {
  return builtInTask(taskType, {})?.family ?? "custom";
}

/** Undefined for a plugin's task, or if the settings are invalid. */
export function builtInTask(taskType: string, config: TaskConfig): BaseTask | undefined {
  try {
    return tasks.get(taskType, config);
  } catch {
    return undefined;
  }
}

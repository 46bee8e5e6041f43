import type { MetricSummary, MetricTable } from "../../core/interfaces/result.js";

/**
 * The flat metric table over all tasks. A metric of one task is copied. A metric of several tasks is
 * macro-averaged: each task has the same weight, whatever its number of episodes, and the entry is labelled so.
 */
export function pool(tables: readonly MetricTable[]): MetricTable {
  const byMetric = new Map<string, MetricSummary[]>();
  for (const table of tables) {
    for (const [name, summary] of Object.entries(table)) {
      byMetric.set(name, [...(byMetric.get(name) ?? []), summary]);
    }
  }
  return Object.fromEntries([...byMetric].map(([name, parts]) => [name, poolOne(parts)]));
}

function poolOne(parts: readonly MetricSummary[]): MetricSummary {
  const [first] = parts;
  if (!first) throw new RangeError("nothing to pool");
  if (parts.length === 1) return first;
  const counted = parts.filter((part) => part.mean !== null);
  const means = counted.map((part) => part.mean ?? 0);
  const mean = means.length > 0 ? average(means) : null;
  const ci95 = mean === null ? null : mover(mean, counted);
  return {
    mean,
    // Variance with equal task weights: within tasks plus between tasks.
    std:
      mean === null
        ? null
        : Math.sqrt(
            average(counted.map((part) => (part.std ?? 0) ** 2 + ((part.mean ?? 0) - mean) ** 2)),
          ),
    min: mean === null ? null : Math.min(...counted.map((part) => part.min ?? 0)),
    max: mean === null ? null : Math.max(...counted.map((part) => part.max ?? 0)),
    count: parts.reduce((sum, part) => sum + part.count, 0),
    ci95,
    ci_method: ci95 ? "mover" : "none",
    n_invalid: parts.reduce((sum, part) => sum + part.n_invalid, 0),
    ...withoutAgentFaults(parts),
    pooling: "macro",
    unit: first.unit,
    direction: first.direction,
  };
}

/** Averages over tasks with remaining episodes; absent if no episode had an agent fault. */
function withoutAgentFaults(parts: readonly MetricSummary[]) {
  if (parts.every((part) => part.mean_without_agent_faults === undefined)) return {};
  const means = parts
    .map(({ mean, mean_without_agent_faults: without = mean }) => without)
    .filter((mean) => mean !== null);
  return { mean_without_agent_faults: means.length > 0 ? average(means) : null };
}

/**
 * Interval of a mean of independent means from their intervals: the method of variance estimates recovery
 * (MOVER; Zou and Donner, Statistics in Medicine 2008). It preserves the parts' shape, such as that of
 * Wilson's at 0 and 1, and stays inside the metric's range if they do.
 */
function mover(mean: number, parts: readonly MetricSummary[]): [number, number] | null {
  let below = 0;
  let above = 0;
  for (const part of parts) {
    if (!part.ci95 || part.mean === null) return null;
    below += (part.mean - part.ci95[0]) ** 2;
    above += (part.ci95[1] - part.mean) ** 2;
  }
  return [mean - Math.sqrt(below) / parts.length, mean + Math.sqrt(above) / parts.length];
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

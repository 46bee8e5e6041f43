import type { MetricSummary, MetricTable } from "../core/interfaces/result.js";

/**
 * The flat map over all tasks. A metric of one task stands as it is. A metric that several tasks share
 * is macro-averaged: each task weighs the same, however many episodes it has, and the entry says so.
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
    // The spread of all episodes with the tasks weighing the same: within tasks plus between them.
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

/** Over the tasks that have episodes left; absent, as in the parts, where no agent broke off. */
function withoutAgentFaults(parts: readonly MetricSummary[]) {
  if (parts.every((part) => part.mean_without_agent_faults === undefined)) return {};
  const means = parts
    .map(({ mean, mean_without_agent_faults: without = mean }) => without)
    .filter((mean) => mean !== null);
  return { mean_without_agent_faults: means.length > 0 ? average(means) : null };
}

/**
 * An interval of a mean of independent means from their own intervals: the method of variance
 * estimates recovery (Zou and Donner, Statistics in Medicine 2008). It keeps what is good in the
 * parts - a Wilson interval's shape at 0 and 1, a bootstrap's skew.
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

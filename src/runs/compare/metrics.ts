import type { MetricSummary } from "../../core/interfaces/result.js";
import { aggregate } from "../../core/metric/base.js";
import { defaultRegistries } from "../../registry/default.js";
import type { Interval } from "../../stats/interval.js";
import { comparePairs, type PairedComparison } from "../../stats/paired-comparison.js";
import type { MetricComparison } from "./documents.js";
import { judged, type PairedRuns } from "./pair.js";
import type { ComparedRun, EpisodeTrials } from "./read-run.js";

/** The comparison of a metric before the correction for multiple tests. */
export interface TestedMetric {
  readonly row: Omit<MetricComparison, "p_holm" | "significant" | "verdict" | "tell_apart">;
  readonly tellApart: PairedComparison["tellApart"];
}

/** Tests every shared metric of every task on the episodes where both runs have a value. */
export function testMetrics(paired: PairedRuns): TestedMetric[] {
  const repeated = paired.a.repeats > 1 || paired.b.repeats > 1;
  return columnsOf(paired)
    .filter(({ a }) => a.length > 0)
    .map((column) => testColumn(column, paired, repeated));
}

/** The metrics that `other` lacks, as `task: metric`. */
export function unsharedMetrics(run: ComparedRun, other: ComparedRun): string[] {
  return [...run.metrics].flatMap(([task, names]) => {
    const others = other.metrics.get(task);
    return others?.length
      ? names.filter((name) => !others.includes(name)).map((n) => `${task}: ${n}`)
      : [];
  });
}

interface Column {
  readonly task: string;
  readonly metric: string;
  readonly placeA: number;
  readonly placeB: number;
  readonly a: number[];
  readonly b: number[];
  readonly scenes: string[];
}

function columnsOf({ a: runA, b: runB, pairs }: PairedRuns): Column[] {
  const byTask = new Map<string, Column[]>();
  for (const { a, b } of pairs) {
    let columns = byTask.get(a.task);
    if (!columns) {
      columns = sharedColumns(a.task, runA, runB);
      byTask.set(a.task, columns);
    }
    for (const column of columns) {
      const valueA = meanOf(a, column.placeA);
      const valueB = meanOf(b, column.placeB);
      if (Number.isNaN(valueA) || Number.isNaN(valueB)) continue;
      column.a.push(valueA);
      column.b.push(valueB);
      column.scenes.push(a.scene);
    }
  }
  return [...byTask.values()].flat();
}

function sharedColumns(task: string, a: ComparedRun, b: ComparedRun): Column[] {
  const places = b.metrics.get(task) ?? [];
  return (a.metrics.get(task) ?? []).flatMap((metric, placeA) => {
    const placeB = places.indexOf(metric);
    return placeB < 0 ? [] : [{ task, metric, placeA, placeB, a: [], b: [], scenes: [] }];
  });
}

/** Mean over the valid repeats that have a value; NaN if there are none. */
function meanOf(episode: EpisodeTrials, place: number): number {
  let sum = 0;
  let count = 0;
  for (const { values } of judged(episode)) {
    const value = values[place] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return sum / count;
}

function testColumn(
  { task, metric, a, b, scenes }: Column,
  { a: runA, b: runB }: PairedRuns,
  repeated: boolean,
): TestedMetric {
  const compared = comparePairs(a, b, { scenes, range: rangeOf(metric), repeated });
  const { interval, method, test, discordant, p, tellApart } = compared;
  const meanA = aggregate(a).mean ?? 0;
  const meanB = aggregate(b).mean ?? 0;
  return {
    row: {
      task,
      metric,
      primary: metric === primaryMetric(task, runA, runB),
      direction: directionOf(task, metric, runA, runB),
      n: a.length,
      mean_a: meanA,
      mean_b: meanB,
      difference: meanB - meanA,
      ci95: interval,
      ci_method: method,
      test,
      discordant: discordant && { only_a: discordant.onlyFirst, only_b: discordant.onlySecond },
      p,
    },
    tellApart,
  };
}

/** Undefined for a metric of a plugin, which a comparison does not load. */
function rangeOf(metric: string): Interval | undefined {
  const { metrics } = defaultRegistries();
  return metrics.has(metric) ? metrics.get(metric, {}).info.range : undefined;
}

/** Falls back to the first metric of the lines, because unfinished runs have no summary. */
function primaryMetric(task: string, a: ComparedRun, b: ComparedRun): string | undefined {
  const told = a.summary?.primary_metrics?.[task] ?? b.summary?.primary_metrics?.[task];
  return told ?? a.metrics.get(task)?.[0];
}

function directionOf(
  task: string,
  metric: string,
  a: ComparedRun,
  b: ComparedRun,
): MetricSummary["direction"] | null {
  const of = ({ summary }: ComparedRun) => summary?.per_task?.[task]?.[metric]?.direction;
  return of(a) ?? of(b) ?? null;
}

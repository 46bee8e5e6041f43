import type {
  EarlyStop,
  EpisodeLine,
  FaultyEpisode,
  MetricSummary,
  MetricTable,
  Outcome,
  PartialScore,
  RunInfo,
  RunLabels,
  RunStatus,
  RunSummary,
  SelectedEpisodes,
} from "../../core/interfaces/result.js";
import { aggregate, type MetricInfo } from "../../core/metric/base.js";
import { FirstOf } from "../../dataset/first-of.js";
import type { SummaryTask } from "../../registry/resolved-task.js";
import type { Interval } from "../../stats/interval.js";
import { LatencyAggregate } from "../../stats/latency-sketch.js";
import {
  type MeanInterval,
  type MeanIntervalOptions,
  meanInterval,
} from "../../stats/mean-interval.js";
import { repeatsInterval } from "../../stats/repeats-interval.js";
import { byText } from "../directory/ordered.js";
import { labelsOf } from "../directory/run-labels.js";
import { repeatsOf } from "../recorded/recorded-config.js";
import { pool } from "./pooling.js";

/** Maximum number of faulty episodes in summary.json; episodes.jsonl has all. */
const LISTED = 100;

export interface SummaryContext {
  readonly runId: string;
  readonly benchmark: string;
  readonly agent: string;
  readonly seed: number;
  /** Repetitions of each episode. Default 1. */
  readonly repeats?: number;
  readonly selected?: SelectedEpisodes | undefined;
  readonly partial?: PartialScore | undefined;
  readonly labels?: RunLabels | undefined;
  /** Metrics by task, in table order; the first is the primary metric. */
  readonly tasks: Readonly<Record<string, SummaryTask>>;
}

/**
 * Builds the summary one line at a time. It keeps only numbers, a few bytes per metric and episode.
 */
export class Summariser {
  readonly #tasks = new Map<string, TaskColumns>();
  readonly #outcomes: Record<Outcome, number> = { success: 0, failure: 0, invalid: 0 };
  readonly #endReasons = new Map<string, number>();
  readonly #faults = new Map<string, number>();
  readonly #invalid = faultyList();
  readonly #brokenOff = faultyList();
  readonly #latencies = new LatencyAggregate();
  #timings = { wall_ms: 0, sim_ms: 0, agent_ms: 0, steps: 0 };

  constructor(private readonly context: SummaryContext) {
    for (const name of Object.keys(context.tasks)) this.#tasks.set(name, new TaskColumns());
  }

  /** For the summary of a recorded run. */
  static of(info: RunInfo, tasks: SummaryContext["tasks"]): Summariser {
    const { run_id: runId, benchmark, agent, seed, partial } = info;
    const repeats = repeatsOf(info);
    return new Summariser({
      ...{ runId, benchmark: benchmark.name, agent, seed, repeats, partial, tasks },
      labels: info,
      selected: selectedEpisodes(info.data ?? {}),
    });
  }

  add(line: EpisodeLine): void {
    this.#outcomes[line.outcome]++;
    increment(this.#endReasons, line.end_reason);
    if (line.fault) increment(this.#faults, line.fault);
    if (line.agent_latency_ms) this.#latencies.add(line.agent_latency_ms.sketch);
    const t = this.#timings;
    this.#timings = {
      wall_ms: t.wall_ms + line.wall_ms,
      sim_ms: t.sim_ms + line.sim_ms,
      agent_ms: t.agent_ms + line.agent_ms,
      steps: t.steps + line.steps,
    };
    let columns = this.#tasks.get(line.task);
    if (!columns) {
      columns = new TaskColumns();
      this.#tasks.set(line.task, columns);
    }
    columns.add(line);
    if (line.outcome === "invalid") this.#invalid.add(faultyEpisode(line));
    else if (line.fault) this.#brokenOff.add(faultyEpisode(line));
  }

  /** The current mean of a task's primary metric, for progress lines. */
  running(task: string): MetricSummary | undefined {
    const about = this.context.tasks[task];
    const info = about?.metrics.find((metric) => metric.name === about.primaryMetric);
    const columns = this.#tasks.get(task);
    return info && columns && this.#summarise(columns, info);
  }

  #summarise(columns: TaskColumns, info: MetricInfo): MetricSummary {
    return columns.summarise(info, this.context.repeats ?? 1);
  }

  get counts(): Readonly<Record<Outcome, number>> {
    return this.#outcomes;
  }

  /** @param stops early-stop results and intervals by task */
  finish(status: RunStatus, stops: EarlyStops = {}): RunSummary {
    const perTask: Record<string, MetricTable> = {};
    const profiles: Record<string, string> = {};
    const primary: Record<string, string> = {};
    for (const [name, about] of Object.entries(this.context.tasks)) {
      profiles[name] = about.profile;
      primary[name] = about.primaryMetric;
      const columns = this.#tasks.get(name) ?? new TaskColumns();
      const table = about.metrics.map(
        (info) => [info.name, this.#summarise(columns, info)] as const,
      );
      perTask[name] = { ...Object.fromEntries(table), ...sequential(table, stops[name]) };
    }
    const { success, failure, invalid } = this.#outcomes;
    return {
      format: "robot-eval-summary/1",
      run_id: this.context.runId,
      status,
      benchmark: this.context.benchmark,
      agent: this.context.agent,
      ...labelsOf(this.context.labels),
      seed: this.context.seed,
      repeats: this.context.repeats ?? 1,
      profiles,
      episodes: { total: success + failure + invalid, success, failure, invalid },
      ...(this.context.selected ? { selected: this.context.selected } : {}),
      ...(this.context.partial ? { partial: this.context.partial } : {}),
      aggregated_metrics: pool(Object.values(perTask)),
      per_task: perTask,
      primary_metrics: primary,
      end_reasons: byName(this.#endReasons),
      faults: byName(this.#faults),
      invalid_episodes: this.#invalid.items,
      broken_off_episodes: this.#brokenOff.items,
      ...(Object.keys(stops).length > 0 ? { early_stop: results(stops) } : {}),
      timings: { ...this.#timings, agent_latency_ms: this.#latencies.summary() },
    };
  }
}

/** Undefined if all episodes were selected, or their number is unknown. */
export function selectedEpisodes(data: RunInfo["data"]): SelectedEpisodes | undefined {
  const tasks = Object.values(data);
  if (tasks.every(({ of }) => of === undefined)) return undefined;
  return {
    episodes: tasks.reduce((sum, { episodes }) => sum + episodes, 0),
    of: tasks.reduce((sum, { episodes, of = episodes }) => sum + of, 0),
  };
}

/**
 * The metric values of one task, one column per metric. Floating-point sums depend on the order, so they are computed
 * in the order of episode keys, not of completion.
 */
class TaskColumns {
  readonly #keys: string[] = [];
  readonly #repeats: number[] = [];
  readonly #scenes: string[] = [];
  readonly #brokenOff: boolean[] = [];
  /** NaN if a metric has no value. */
  readonly #columns = new Map<string, number[]>();
  #invalid = 0;
  /** Row numbers sorted by key; computed on demand, invalidated by a new row. */
  #order: readonly number[] | undefined;

  add(line: EpisodeLine): void {
    if (line.outcome === "invalid") {
      this.#invalid++;
      return;
    }
    const row = this.#keys.push(line.episode_key) - 1;
    this.#repeats.push(line.repeat);
    this.#scenes.push(line.scene_id);
    this.#brokenOff.push(line.fault === "agent");
    for (const [name, value] of Object.entries(line.metrics)) {
      let column = this.#columns.get(name);
      if (!column) {
        column = [];
        this.#columns.set(name, column);
      }
      while (column.length < row) column.push(Number.NaN);
      column.push(value ?? Number.NaN);
    }
    this.#order = undefined;
  }

  summarise(info: MetricInfo, repeats: number): MetricSummary {
    const column = this.#columns.get(info.name) ?? [];
    const rows = this.#inOrder().filter((row) => !Number.isNaN(column[row] ?? Number.NaN));
    const values = rows.map((row) => column[row] ?? Number.NaN);
    const kept = rows.filter((row) => !this.#brokenOff[row]);
    const { kind, range } = info;
    return {
      ...aggregate(values),
      ...(repeats > 1
        ? this.#overRepeats(rows, column, repeats, { kind, range })
        : intervalFields(
            meanInterval(values, {
              ...{ kind, range },
              clusters: rows.map((row) => this.#scenes[row] ?? ""),
            }),
          )),
      n_invalid: this.#invalid,
      ...(kept.length < rows.length
        ? { mean_without_agent_faults: aggregate(kept.map((row) => column[row] ?? 0)).mean }
        : {}),
      unit: info.unit,
      direction: info.direction,
    };
  }

  /** Averages over repeats first, so that each episode has the same weight. */
  #overRepeats(
    rows: readonly number[],
    column: readonly number[],
    repeats: number,
    metric: Omit<MeanIntervalOptions, "clusters">,
  ) {
    const groups = new Map<string, number[]>();
    const scenes: string[] = [];
    const byRepeat = Array.from({ length: repeats }, (): number[] => []);
    for (const row of rows) {
      const value = column[row] ?? Number.NaN;
      const key = this.#keys[row] ?? "";
      const group = groups.get(key);
      if (group) group.push(value);
      else {
        groups.set(key, [value]);
        scenes.push(this.#scenes[row] ?? "");
      }
      byRepeat[this.#repeats[row] ?? 0]?.push(value);
    }
    const episodes = [...groups.values()];
    return {
      mean: aggregate(episodes.map((values) => aggregate(values).mean ?? 0)).mean,
      ...intervalFields(repeatsInterval(episodes, { ...metric, clusters: scenes })),
      n_episodes: episodes.length,
      repeat_means: byRepeat.map((values) => aggregate(values).mean),
    };
  }

  #inOrder(): readonly number[] {
    const [keys, repeats] = [this.#keys, this.#repeats];
    this.#order ??= keys
      .map((_, row) => row)
      .sort(
        (a, b) => byText(keys[a] ?? "", keys[b] ?? "") || (repeats[a] ?? 0) - (repeats[b] ?? 0),
      );
    return this.#order;
  }
}

type EarlyStops = Readonly<
  Record<
    string,
    {
      readonly result: EarlyStop;
      /** Undefined if it does not cover all counted episodes. */
      readonly interval: Interval | null | undefined;
    }
  >
>;

function results(stops: EarlyStops): Record<string, EarlyStop> {
  return Object.fromEntries(Object.entries(stops).map(([task, { result }]) => [task, result]));
}

function intervalFields({ interval, method }: MeanInterval) {
  return { ci95: interval, ci_method: method };
}

/** Replaces the primary metric's interval by the anytime-valid one. */
function sequential(
  table: readonly (readonly [string, MetricSummary])[],
  stop: EarlyStops[string] | undefined,
): MetricTable {
  const found = table.find(([name]) => name === stop?.result.metric);
  if (!stop || stop.interval === undefined || !found) return {};
  const [name, summary] = found;
  const method = stop.interval ? "sequential" : "none";
  return { [name]: { ...summary, ...intervalFields({ interval: stop.interval, method }) } };
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Sorts by name, so that the file does not depend on the order of completion. */
function byName(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => byText(a, b)));
}

/** The first faulty episodes by key, in any order of completion. */
function faultyList(): FirstOf<FaultyEpisode> {
  return new FirstOf<FaultyEpisode>(
    LISTED,
    (a, b) => byText(a.episode_key, b.episode_key) || (a.repeat ?? 0) - (b.repeat ?? 0),
  );
}

function faultyEpisode(line: EpisodeLine): FaultyEpisode {
  const { episode_key, repeat, fault = "platform", error, explanation } = line;
  const { code = "unknown", message = explanation } = error ?? {};
  return { episode_key, ...(repeat === 0 ? {} : { repeat }), fault, code, message };
}

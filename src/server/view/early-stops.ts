import type { MetricSummary, RunInfo, RunSummary } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import { EarlyStopTask } from "../../evaluator/record/early-stop.js";
import type { RunDirectory } from "../../runs/directory/run-directory.js";
import type { RunPermissions } from "../../runs/recorded/recorded-benchmark.js";
import { Summariser } from "../../runs/summary/summary.js";
import { metricInfo } from "./names.js";

/** Episode keys of each task in the order that the run drew. */
export type DrawnOrder = Readonly<Record<string, readonly string[]>>;

interface EarlyStopSettings {
  readonly half_width: number;
  readonly min_episodes: number;
}

/** Undefined for a run without early stopping. */
export function earlyStopOf({ config: { evaluation } }: RunInfo): EarlyStopSettings | undefined {
  const asked = isRecord(evaluation) ? evaluation.early_stop : undefined;
  if (!isRecord(asked)) return undefined;
  return { half_width: Number(asked.half_width), min_episodes: Number(asked.min_episodes) };
}

/** Recomputes the order from the run's data, which must still exist. */
export async function drawnOrder(
  run: RunDirectory,
  info: RunInfo,
  permissions: RunPermissions,
): Promise<DrawnOrder> {
  // Imported on demand: this loads every task and simulator, and few runs need it.
  const { createRegistries } = await import("../../registry/registries.js");
  const { jobsOf, keyOf } = await import("../../evaluator/plan/jobs.js");
  const { prepareRun } = await import("../../evaluator/plan/prepare.js");
  const { recordedSelection } = await import("../../evaluator/plan/recorded-selection.js");
  const { recordedBenchmark } = await import("../../runs/recorded/recorded-benchmark.js");
  const uses = ["plugins", "simulator", "scenes", "graphs", "dataset"] as const;
  const plan = await prepareRun(recordedBenchmark(run, info, uses, permissions), {
    registries: createRegistries(),
    // Any agent will do: only the order is needed.
    agent: "random",
    seed: info.seed,
    ...recordedSelection(info),
  });
  const order: Record<string, Set<string>> = {};
  for (const job of jobsOf(plan)) {
    const keys = order[job.task] ?? new Set();
    order[job.task] = keys.add(keyOf(job));
  }
  return Object.fromEntries(Object.entries(order).map(([task, keys]) => [task, [...keys]]));
}

/**
 * The summary of a running run, with its primary metrics as early stopping computes them: over the gapless start of
 * the drawn order, with an interval that is valid at any time.
 */
export async function withEarlyStops(
  run: RunDirectory,
  info: RunInfo,
  summary: RunSummary,
  order: DrawnOrder,
): Promise<RunSummary> {
  const settings = earlyStopOf(info);
  if (!settings) return summary;
  const tasks = new Map(
    Object.entries(order).flatMap(([task, keys]) => {
      const looked = lookAt(summary, task, keys, settings);
      return looked ? [[task, looked] as const] : [];
    }),
  );
  for await (const line of run.episodes()) {
    const task = tasks.get(line.task);
    for (const counted of task?.stop.offer(line) ?? []) task?.summariser.add(counted);
  }
  const perTask = Object.entries(summary.per_task).map(([task, table]) => {
    const found = tasks.get(task)?.metric();
    return [task, found ? { ...table, ...found } : table];
  });
  return {
    ...summary,
    per_task: Object.fromEntries(perTask),
    early_stop: Object.fromEntries([...tasks].map(([task, { stop }]) => [task, stop.result()])),
  };
}

/** Undefined for a plugin's metric. */
function lookAt(
  summary: RunSummary,
  task: string,
  order: readonly string[],
  { half_width, min_episodes }: EarlyStopSettings,
) {
  const name = summary.primary_metrics[task] ?? "";
  const info = metricInfo(name);
  if (!info) return undefined;
  const { run_id: runId, benchmark, agent, seed, repeats } = summary;
  const about = { profile: "", primaryMetric: name, metrics: [info] };
  const summariser = new Summariser({
    ...{ runId, benchmark, agent, seed, repeats },
    tasks: { [task]: about },
  });
  const stop = new EarlyStopTask({
    ...{ metric: name, kind: info.kind, order, repeats },
    ...{ halfWidth: half_width, minEpisodes: min_episodes },
  });
  return {
    stop,
    summariser,
    metric(): Record<string, MetricSummary> {
      const counted = summariser.running(task);
      const ci95 = stop.interval();
      return counted
        ? { [name]: { ...counted, ci95, ci_method: ci95 ? "sequential" : "none" } }
        : {};
    },
  };
}

import type { MetricSummary, RunInfo, RunSummary } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import { EarlyStopTask } from "../../evaluator/early-stop.js";
import type { RunDirectory } from "../../runs/run-directory.js";
import { Summariser } from "../../runs/summary.js";
import { metricInfo } from "./names.js";

/** By task, its episodes in the order that was drawn. */
export type DrawnOrder = Readonly<Record<string, readonly string[]>>;

interface EarlyStopSettings {
  readonly half_width: number;
  readonly min_episodes: number;
}

/** Undefined for a run whose tasks are not to stop early. */
export function earlyStopOf({ config: { evaluation } }: RunInfo): EarlyStopSettings | undefined {
  const asked = isRecord(evaluation) ? evaluation.early_stop : undefined;
  if (!isRecord(asked)) return undefined;
  return { half_width: Number(asked.half_width), min_episodes: Number(asked.min_episodes) };
}

/** As the run drew it; its data must still be there. */
export async function drawnOrder(run: RunDirectory, info: RunInfo): Promise<DrawnOrder> {
  // Every task and simulator hangs on these, and hardly any run asks for them.
  const { createRegistries } = await import("../../registry/registries.js");
  const { jobsOf, keyOf } = await import("../../evaluator/jobs.js");
  const { prepareRun } = await import("../../evaluator/prepare.js");
  const { recordedBenchmark } = await import("../../runs/recorded-config.js");
  const plan = await prepareRun(recordedBenchmark(run, info), {
    registries: createRegistries(),
    agent: info.agent,
    seed: info.seed,
    ...info.selection,
  });
  const order: Record<string, Set<string>> = {};
  for (const job of jobsOf(plan)) {
    const keys = order[job.task] ?? new Set();
    order[job.task] = keys.add(keyOf(job));
  }
  return Object.fromEntries(Object.entries(order).map(([task, keys]) => [task, [...keys]]));
}

/**
 * The summary of a run under way with its primary metrics as an early stop looks at them: over the episodes
 * from the first of the order whose results are all there, with the interval that holds whenever one looks.
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

/** Undefined for a metric that only a plugin knows. */
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

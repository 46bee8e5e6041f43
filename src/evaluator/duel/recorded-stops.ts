import type { RunInfo } from "../../core/interfaces/result.js";
import { keysOf } from "../plan/jobs.js";
import type { RunPlan } from "../plan/prepare.js";
import type { Job } from "../plan/queue.js";
import type { TaskStop } from "../record/task-stop.js";
import { DuelStop } from "./duel-stop.js";

/** The stops of a duel's recorded run by task: all its episodes count. Undefined for other runs. */
export function recordedStops(
  { tasks, loaded }: RunPlan,
  jobs: readonly Job[],
  { duel, data }: RunInfo,
): ReadonlyMap<string, TaskStop> | undefined {
  if (!duel) return undefined;
  const { repeats } = loaded.config.evaluation;
  const stops = tasks.map(({ task: { name, summaryTask } }) => {
    const metric = duel.metric ?? summaryTask.primaryMetric;
    const kind = summaryTask.metrics.find((info) => info.name === metric)?.kind ?? "mean";
    const order = keysOf(jobs, name);
    const side = { offer: () => {}, counted: order.length, isOver: true };
    const options = { metric, kind, against: duel.against, order, repeats, side };
    return [name, new DuelStop({ ...options, of: data[name]?.episodes })] as const;
  });
  return new Map(stops);
}

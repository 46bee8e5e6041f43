import type { RunInfo } from "../../core/interfaces/result.js";
import { jobsOf, keyOf } from "../jobs.js";
import type { RunPlan, TaskPlan } from "../prepare.js";
import { newTally, repeatsOf, stopsEarly, sumOf, type Tallies, type Tally } from "./read-lines.js";

/**
 * How a run's episodes differ from those that the same benchmark selects here; empty where they are the
 * same. A bundle's own digests are whatever its maker says they are: these are not.
 */
export function againstOwn(own: RunPlan, info: RunInfo, tasks: Tallies): string[] {
  const unknown = [...tasks.keys()].filter((task) => !planOf(own, task));
  return [
    ...unknown.map((task) => `there is no task ${task} here, or it has no episodes`),
    ...own.tasks.flatMap((plan) => {
      const tally = tasks.get(plan.judged.name) ?? newTally();
      const order = new Set(jobsOf({ ...own, tasks: [plan] }).map(keyOf));
      return (
        otherData(plan, info) ?? strange(plan, tally) ?? chosen(order, info, plan, tally) ?? []
      );
    }),
  ];
}

function planOf({ tasks }: RunPlan, task: string): TaskPlan | undefined {
  return tasks.find(({ judged }) => judged.name === task);
}

function otherData({ judged: { name }, data }: TaskPlan, info: RunInfo): string | undefined {
  const recorded = info.data?.[name];
  // Merged parts of different selections have none.
  if (!recorded && Object.keys(info.data ?? {}).length === 0) return undefined;
  if (!recorded) return `${name}, which has ${data.episodes} episodes here, was left out`;
  if (recorded.sha256 === data.sha256) return undefined;
  return `${name} was selected from ${recorded.episodes} other episodes than the ${data.episodes} here`;
}

function strange(plan: TaskPlan, { episodes }: Tally): string | undefined {
  const sums = new Set(plan.episodes.map(sumOf));
  const found = [...episodes].find(([, sum]) => sum !== undefined && !sums.has(sum));
  return found && `${found[0]} is another episode here, or none`;
}

/** Which of the episodes are there must not be anybody's choice. */
function chosen(
  order: ReadonlySet<string>,
  info: RunInfo,
  { judged: { name } }: TaskPlan,
  { lines, episodes }: Tally,
): string | undefined {
  if (info.status !== "done" || info.merged) return undefined;
  const all = order.size * repeatsOf(info);
  if (lines === all) return undefined;
  if (!stopsEarly(info)) return `${name} has ${lines} of ${all} results`;
  const first = [...order].slice(0, episodes.size);
  const skipped = first.find((key) => !episodes.has(key));
  return skipped && `${name} stopped early, and ${skipped} would have come before that`;
}

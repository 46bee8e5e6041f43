import { DataError, errorMessage } from "../../core/errors.js";
import type { RunInfo, RunSummary } from "../../core/interfaces/result.js";
import type { SummaryTask } from "../../registry/resolved-task.js";
import type { RunDirectory } from "../directory/run-directory.js";
import type { RunPermissions } from "../recorded/recorded-benchmark.js";
import { Summariser } from "../summary/summary.js";

/**
 * The summary that a run wrote. While the run is in progress, or after it was killed, computes one from the episodes
 * so far instead: a resumed run may still have the outdated summary of its first part.
 *
 * @param known the run's run.json, if already read
 */
export async function summaryOf(
  run: RunDirectory,
  permissions: Pick<RunPermissions, "plugins"> = {},
  known?: RunInfo,
): Promise<RunSummary> {
  const info = known ?? (await run.info());
  return info.status === "running" ? summarySoFar(run, info, permissions) : run.summary();
}

async function summarySoFar(
  run: RunDirectory,
  info: RunInfo,
  permissions: Pick<RunPermissions, "plugins">,
): Promise<RunSummary> {
  const summariser = Summariser.of(info, await tasksOf(run, info, permissions));
  for await (const line of run.episodes()) summariser.add(line);
  return summariser.finish("running");
}

/** Loads the benchmark's tasks and plugins, which define the metrics. */
async function tasksOf(
  run: RunDirectory,
  info: RunInfo,
  { plugins }: Pick<RunPermissions, "plugins">,
): Promise<Readonly<Record<string, SummaryTask>>> {
  // These import every task, metric and simulator, which the report of a finished run does not need.
  const { programRegistries } = await import("../../registry/default.js");
  const { summaryTasks } = await import("../merge/summary-tasks.js");
  try {
    const source = { run, info, shard: undefined, label: info.run_id };
    return await summaryTasks([source], programRegistries(), { plugins });
  } catch (cause) {
    throw new DataError(
      "no_summary",
      `the run has no summary yet, and its metrics cannot be looked up: ${errorMessage(cause)}`,
      { where: run.path, hint: "let the run finish, or bring back its plugins", cause },
    );
  }
}

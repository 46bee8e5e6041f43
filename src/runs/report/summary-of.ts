import { DataError, errorMessage } from "../../core/errors.js";
import type { RunInfo, RunSummary } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import type { RunDirectory } from "../run-directory.js";
import { Summariser, type SummaryTask } from "../summary.js";

/**
 * The summary of a run: the one that it wrote or, while it runs or after it was killed, one of the episodes that
 * are there. A run that was taken up again may still have the summary of its first part, which is passed over.
 */
export async function summaryOf(run: RunDirectory): Promise<RunSummary> {
  const info = await run.info();
  return info.status === "running" ? summarySoFar(run, info) : run.summary();
}

async function summarySoFar(run: RunDirectory, info: RunInfo): Promise<RunSummary> {
  const { evaluation } = info.config;
  const summariser = new Summariser({
    runId: info.run_id,
    benchmark: info.benchmark.name,
    agent: info.agent,
    seed: info.seed,
    repeats: isRecord(evaluation) ? Number(evaluation.repeats ?? 1) : 1,
    tasks: await tasksOf(run, info),
  });
  for await (const line of run.episodes()) summariser.add(line);
  return summariser.finish("running");
}

/** What the metrics mean is known to the benchmark's tasks and plugins alone. */
async function tasksOf(
  run: RunDirectory,
  info: RunInfo,
): Promise<Readonly<Record<string, SummaryTask>>> {
  // Every task, metric and simulator hangs on these; a finished run's report needs none of them.
  const { createRegistries } = await import("../../registry/registries.js");
  const { summaryTasks } = await import("../merge/summary-tasks.js");
  try {
    const source = { run, info, shard: undefined, label: info.run_id };
    return await summaryTasks([source], createRegistries());
  } catch (cause) {
    throw new DataError(
      "no_summary",
      `the run has no summary yet, and its metrics cannot be looked up: ${errorMessage(cause)}`,
      { where: run.path, hint: "let the run finish, or bring back its plugins", cause },
    );
  }
}

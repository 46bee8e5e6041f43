import { loadConfig } from "../config/load.js";
import { UnifiedRobotEvaluator } from "../evaluator/evaluator.js";
import type { EarlyThread } from "../evaluator/execute/early-thread.js";
import { benchmarkFile } from "./benchmark-file.js";
import type { RunFlags } from "./commands/run.js";
import { rejectUnused } from "./options.js";
import { ResultRequirements, runWithProgress } from "./run-with-progress.js";

/** Runs a benchmark's episodes in this process, or on a cluster with `--queue`. */
export async function runBenchmark(
  benchmark: string,
  flags: RunFlags,
  early: EarlyThread | undefined,
): Promise<void> {
  const file = benchmarkFile(benchmark);
  if (flags.dryRun) {
    const { dryRun } = await import("./dry-run.js");
    return dryRun(file, flags);
  }
  if (flags.queue !== undefined) {
    const { runOnCluster } = await import("./run-on-cluster.js");
    return runOnCluster(file, { ...flags, queue: flags.queue });
  }
  rejectUnused(flags, ["priority", "detach"], "without --queue");
  const loaded = loadConfig(file, flags.set ? { set: flags.set } : {});
  const requirements = new ResultRequirements(flags);
  await runWithProgress(requirements, async (tools) => {
    const { agent, seed, limit, first, filter, shard, runId, concurrency } = flags;
    const { workers = "auto", name, tag: tags } = flags;
    const evaluator = new UnifiedRobotEvaluator(loaded, {
      ...{ agent, seed, limit, first, filter, shard, runId, workers, concurrency, early },
      ...{ name, tags },
      outDir: flags.out,
      ...tools,
    });
    requirements.onPlan(await evaluator.prepare());
    return evaluator.run();
  });
}

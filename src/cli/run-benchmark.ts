import { loadConfig } from "../config/load.js";
import { UnifiedRobotEvaluator } from "../evaluator/evaluator.js";
import type { EarlyThread } from "../evaluator/execute/early-thread.js";
import { benchmarkFile } from "./benchmark-file.js";
import { meaningless, type RunFlags } from "./commands/run.js";
import { runCourse } from "./run-course.js";
import { parseThreshold, type Threshold } from "./thresholds.js";

/** What `robot-eval run` does: the benchmark's episodes in this process, or on a cluster with `--queue`. */
export async function runBenchmark(
  benchmark: string,
  flags: RunFlags,
  early: EarlyThread | undefined,
): Promise<void> {
  const file = benchmarkFile(benchmark);
  if (flags.queue !== undefined) {
    const { runOnCluster } = await import("./run-on-cluster.js");
    return runOnCluster(file, { ...flags, queue: flags.queue });
  }
  for (const name of ["priority", "detach"] as const) {
    if (flags[name] !== undefined) throw meaningless(name, "without --queue");
  }
  const loaded = loadConfig(file, flags.set ? { set: flags.set } : {});
  let thresholds: readonly Threshold[] = [];
  await runCourse(
    async ({ signal, onEvent }) => {
      const evaluator = new UnifiedRobotEvaluator(loaded, {
        agent: flags.agent,
        seed: flags.seed,
        limit: flags.limit,
        filter: flags.filter,
        shard: flags.shard,
        outDir: flags.out,
        runId: flags.runId,
        workers: flags.workers ?? "auto",
        concurrency: flags.concurrency,
        early,
        signal,
        onEvent,
      });
      const { tasks } = await evaluator.prepare();
      const reported = tasks.flatMap(({ task }) => task.metricNames);
      thresholds = (flags.threshold ?? []).map((text) => parseThreshold(text, reported));
      return evaluator.run();
    },
    () => ({
      json: flags.json,
      reports: flags.report,
      thresholds,
      allowedInvalid: flags.failOnInvalid ?? loaded.config.evaluation.fail_on_invalid,
    }),
  );
}

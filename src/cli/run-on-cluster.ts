import { attach } from "../cluster/attached.js";
import { openCluster } from "../cluster/cluster.js";
import { submitRun } from "../cluster/submit.js";
import { loadConfig } from "../config/load.js";
import { UnifiedRobotEvaluator } from "../evaluator/evaluator.js";
import { meaningless, type RunFlags } from "./commands/run.js";
import { printData, printJson, say } from "./output.js";
import { DETACHING, FEW } from "./queue-option.js";
import { runCourse } from "./run-course.js";
import { parseThreshold } from "./thresholds.js";

type ClusterFlags = RunFlags & { readonly queue: string };

/** `run --queue`: checks everything as for a local run, then submits it to the cluster. */
export async function runOnCluster(file: string, flags: ClusterFlags): Promise<void> {
  for (const name of ["workers", "concurrency"] as const) {
    if (flags[name] !== undefined) throw meaningless(name, "with --queue: workers have their own");
  }
  for (const name of ["out", "threshold", "report", "failOnInvalid"] as const) {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (flags.detach && flags[name] !== undefined) {
      throw meaningless(flag, "with --detach: give it to robot-eval pull");
    }
  }
  const loaded = loadConfig(file, flags.set ? { set: flags.set } : {});
  const { agent, seed, limit, filter, shard, runId, priority } = flags;
  const selection = { limit, filter, shard };
  const plan = await new UnifiedRobotEvaluator(loaded, { agent, seed, ...selection }).prepare();
  const reported = plan.tasks.flatMap(({ task }) => task.metricNames);
  const thresholds = (flags.threshold ?? []).map((text) => parseThreshold(text, reported));
  const outDir = flags.detach ? undefined : (flags.out ?? loaded.config.output.log_dir);
  const cluster = await openCluster(flags.queue, FEW);
  try {
    const submitted = await submitRun(cluster, plan, { ...selection, runId, priority, outDir });
    const { run_id } = submitted.info;
    const queue = ` --queue ${cluster.database.where}`;
    const out = flags.out === undefined ? "" : ` --out ${flags.out}`;
    if (outDir === undefined) {
      if (flags.json) printJson({ run_id, episodes: submitted.jobs.length });
      else printData(run_id);
      say(
        `${submitted.jobs.length} episodes in the queue; fetch them: robot-eval pull ${run_id}${queue}`,
      );
      return;
    }
    await runCourse(
      (tools) => attach(cluster, plan, submitted, { outDir, onNotice: say, ...tools }),
      () => ({
        json: flags.json,
        reports: flags.report,
        thresholds,
        allowedInvalid: flags.failOnInvalid ?? loaded.config.evaluation.fail_on_invalid,
        goOnWith: `robot-eval pull ${run_id}${queue}${out}; or end it: robot-eval control ${run_id} cancel${queue}`,
      }),
      DETACHING,
      true,
    );
  } finally {
    await cluster.close();
  }
}

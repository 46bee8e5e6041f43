import { attach } from "../cluster/attached.js";
import { submitRun } from "../cluster/submit.js";
import { loadConfig } from "../config/load.js";
import { UnifiedRobotEvaluator } from "../evaluator/evaluator.js";
import type { RunFlags } from "./commands/run.js";
import { rejectUnused } from "./options.js";
import { printResult, say } from "./output.js";
import { DETACHING, withCluster } from "./queue-option.js";
import { ResultRequirements, runWithProgress } from "./run-with-progress.js";

type ClusterFlags = RunFlags & { readonly queue: string };

/** `run --queue`: checks everything as for a local run, then submits it to the cluster. */
export async function runOnCluster(file: string, flags: ClusterFlags): Promise<void> {
  rejectUnused(flags, ["workers", "concurrency"], "with --queue: workers have their own");
  if (flags.detach) {
    const unused = ["out", "threshold", "report", "failOnInvalid"] as const;
    rejectUnused(flags, unused, "with --detach: give it to robot-eval pull");
  }
  const loaded = loadConfig(file, flags.set ? { set: flags.set } : {});
  const { agent, seed, limit, first, filter, shard, runId, priority, name, tag: tags } = flags;
  const selection = { limit, first, filter, shard };
  const plan = await new UnifiedRobotEvaluator(loaded, { agent, seed, ...selection }).prepare();
  const requirements = new ResultRequirements(flags);
  requirements.onPlan(plan);
  const outDir = flags.detach ? undefined : (flags.out ?? loaded.config.output.log_dir);
  await withCluster(flags.queue, async (cluster) => {
    const submitted = await submitRun(cluster, plan, {
      ...selection,
      runId,
      priority,
      outDir,
      name,
      tags,
    });
    const { run_id } = submitted.info;
    const queue = ` --queue ${cluster.database.where}`;
    const out = flags.out === undefined ? "" : ` --out ${flags.out}`;
    if (outDir === undefined) {
      const episodes = submitted.jobs.length;
      printResult(flags.json, { run_id, episodes }, () => run_id);
      say(`${episodes} episodes in the queue; fetch them: robot-eval pull ${run_id}${queue}`);
      return;
    }
    await runWithProgress(
      requirements,
      (tools) => attach(cluster, plan, submitted, { outDir, ...tools }),
      {
        onInterrupt: DETACHING,
        isStarted: true,
        continueWith: `robot-eval pull ${run_id}${queue}${out}; or end it: robot-eval control ${run_id} cancel${queue}`,
      },
    );
  });
}

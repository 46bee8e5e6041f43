import { pullRun } from "../../../cluster/pull.js";
import { CliCommand } from "../../cli-command.js";
import { DETACHING, queueOption, withCluster } from "../../queue-option.js";
import { type ResultFlags, resultOptions } from "../../result-options.js";
import { ResultRequirements, runWithProgress } from "../../run-with-progress.js";

interface PullFlags extends ResultFlags {
  readonly queue: string;
  readonly out?: string;
  readonly now?: boolean;
}

export function pullCommand(): CliCommand {
  return new CliCommand("pull")
    .argument("<run>", "run id")
    .addOption(queueOption())
    .output(
      "--out <folder>",
      "parent folder of the run directory (default: output.log_dir)",
      "parent",
    )
    .option("--now", "write the available results instead of waiting for the rest")
    .with(resultOptions)
    .remarks(`
Replaces an earlier copy of the run. Ctrl-C stops waiting; the run continues.

Example:
  robot-eval pull 20260101T120000Z-vln-challenge-random --queue postgres://lab@db/robots`)
    .action(pull);
}

async function pull(run: string, flags: PullFlags): Promise<void> {
  const requirements = new ResultRequirements(flags);
  const out = flags.out === undefined ? "" : ` --out ${flags.out}`;
  await withCluster(flags.queue, (cluster) =>
    runWithProgress(
      requirements,
      (tools) =>
        pullRun(cluster, run, {
          outDir: flags.out,
          isNow: flags.now,
          onPlan: requirements.onPlan,
          ...tools,
        }),
      {
        onInterrupt: DETACHING,
        continueWith: `robot-eval pull ${run} --queue ${cluster.database.where}${out}`,
      },
    ),
  );
}

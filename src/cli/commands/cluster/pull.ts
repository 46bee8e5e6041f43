import { pullRun } from "../../../cluster/pull.js";
import { CliCommand } from "../../cli-command.js";
import { say } from "../../output.js";
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
    .argument("<run>", "its id")
    .addOption(queueOption())
    .output(
      "--out <folder>",
      "parent folder of the run directory (default: output.log_dir)",
      "parent",
    )
    .option("--now", "write the available results instead of waiting for the rest")
    .with(resultOptions)
    .remarks(`
What was written of the same run before is replaced. Ctrl-C ends the waiting, not the run.

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
          onNotice: say,
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

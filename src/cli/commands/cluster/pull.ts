import { Command } from "commander";
import { openCluster } from "../../../cluster/cluster.js";
import { pullRun } from "../../../cluster/pull.js";
import { say } from "../../output.js";
import { OutputOption } from "../../output-option.js";
import { DETACHING, FEW, queueOption } from "../../queue-option.js";
import { type ResultFlags, withResultOptions } from "../../result-options.js";
import { runCourse } from "../../run-course.js";
import { parseThreshold, type Threshold } from "../../thresholds.js";

interface PullFlags extends ResultFlags {
  readonly queue: string;
  readonly out?: string;
  readonly now?: boolean;
}

export function pullCommand(): Command {
  const command = new Command("pull")
    .argument("<run>", "its id")
    .addOption(queueOption())
    .addOption(
      new OutputOption(
        "--out <folder>",
        "parent folder of the run directory (default: output.log_dir)",
        { kind: "parent" },
      ),
    )
    .option("--now", "write the available results instead of waiting for the rest");
  return withResultOptions(command)
    .addHelpText(
      "after",
      `
What was written of the same run before is replaced. Ctrl-C ends the waiting, not the run.

Example:
  robot-eval pull 20260101T120000Z-vln-challenge-random --queue postgres://lab@db/robots`,
    )
    .action(pull);
}

async function pull(run: string, flags: PullFlags): Promise<void> {
  const cluster = await openCluster(flags.queue, FEW);
  let thresholds: readonly Threshold[] = [];
  let allowedInvalid = flags.failOnInvalid;
  const out = flags.out === undefined ? "" : ` --out ${flags.out}`;
  try {
    await runCourse(
      (tools) =>
        pullRun(cluster, run, {
          outDir: flags.out,
          isNow: flags.now,
          onNotice: say,
          onPlan: ({ tasks, loaded }) => {
            const reported = tasks.flatMap(({ task }) => task.metricNames);
            thresholds = (flags.threshold ?? []).map((text) => parseThreshold(text, reported));
            allowedInvalid ??= loaded.config.evaluation.fail_on_invalid;
          },
          ...tools,
        }),
      () => ({
        json: flags.json,
        reports: flags.report,
        thresholds,
        allowedInvalid,
        goOnWith: `robot-eval pull ${run} --queue ${cluster.database.where}${out}`,
      }),
      DETACHING,
    );
  } finally {
    await cluster.close();
  }
}

import { Command } from "commander";
import { openCluster } from "../../../cluster/cluster.js";
import { refusalsOf, runsStatus, workersStatus } from "../../../cluster/status.js";
import { printData, printJson, table } from "../../output.js";
import { FEW, queueOption } from "../../queue-option.js";

interface StatusFlags {
  readonly queue: string;
  readonly json?: boolean;
}

export function statusCommand(): Command {
  return new Command("status")
    .argument("[run]", "only this run, and which workers could not run it")
    .addOption(queueOption())
    .option("--json", "print it as one JSON document")
    .addHelpText(
      "after",
      `
Example:
  robot-eval status --queue postgres://lab@db/robots`,
    )
    .action(status);
}

async function status(run: string | undefined, flags: StatusFlags): Promise<void> {
  const cluster = await openCluster(flags.queue, FEW);
  try {
    const runs = await runsStatus(cluster, run);
    const workers = await workersStatus(cluster);
    const refusals = run === undefined ? [] : await refusalsOf(cluster, run);
    if (flags.json) {
      printJson({ runs, workers, ...(run === undefined ? {} : { refusals }) });
      return;
    }
    if (runs.length === 0) printData("no runs");
    else
      printData(
        table(
          ["run", "status", "priority", "done", "of", "invalid", "workers"],
          runs.map((row) => [
            row.run_id,
            row.status,
            String(row.priority),
            String(row.done),
            String(row.episodes),
            String(row.invalid),
            String(row.workers),
          ]),
        ),
      );
    for (const { run_id, problem, stopped_early: tasks } of runs) {
      if (tasks.length > 0)
        printData(`${run_id}: stopped early, known well enough: ${tasks.join(", ")}`);
      if (problem !== null) printData(`${run_id}: ${problem}`);
    }
    for (const { worker, problem } of refusals) printData(`${worker} cannot run it: ${problem}`);
    if (workers.length === 0) printData("no workers");
    else {
      printData(
        table(
          ["worker", "run", "under way", "done", "seen"],
          workers.map((row) => [
            row.worker,
            row.run_id ?? "",
            String(row.under_way),
            String(row.done),
            row.is_lost ? `lost, ${row.seen_ago} s ago` : `${row.seen_ago} s ago`,
          ]),
        ),
      );
    }
  } finally {
    await cluster.close();
  }
}

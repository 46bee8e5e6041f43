import { refusalsOf, runsStatus, workersStatus } from "../../../cluster/status.js";
import { CliCommand } from "../../cli-command.js";
import { printData, printJson, table } from "../../output.js";
import { queueOption, withCluster } from "../../queue-option.js";

interface StatusFlags {
  readonly queue: string;
  readonly json?: boolean;
}

export function statusCommand(): CliCommand {
  return new CliCommand("status")
    .argument("[run]", "only this run, and which workers could not run it")
    .addOption(queueOption())
    .option("--json", "print it as one JSON document")
    .remarks(`
Example:
  robot-eval status --queue postgres://lab@db/robots`)
    .action(status);
}

async function status(run: string | undefined, flags: StatusFlags): Promise<void> {
  const { runs, workers, refusals } = await withCluster(flags.queue, async (cluster) => ({
    runs: await runsStatus(cluster, run),
    workers: await workersStatus(cluster),
    refusals: run === undefined ? [] : await refusalsOf(cluster, run),
  }));
  if (flags.json) {
    printJson({ runs, workers, ...(run === undefined ? {} : { refusals }) });
    return;
  }
  const runRows = runs.map((row) => [
    ...[row.run_id, row.status],
    ...[row.priority, row.done, row.episodes, row.invalid, row.workers].map(String),
  ]);
  const runColumns = ["run", "status", "priority", "done", "of", "invalid", "workers"];
  printData(runs.length === 0 ? "no runs" : table(runColumns, runRows));
  for (const { run_id, problem, stopped_early: tasks } of runs) {
    if (tasks.length > 0)
      printData(`${run_id}: stopped early, known well enough: ${tasks.join(", ")}`);
    if (problem !== null) printData(`${run_id}: ${problem}`);
  }
  for (const { worker, problem } of refusals) printData(`${worker} cannot run it: ${problem}`);
  const workerRows = workers.map((row) => [
    ...[row.worker, row.run_id ?? "", String(row.under_way), String(row.done)],
    row.is_lost ? `lost, ${row.seen_ago} s ago` : `${row.seen_ago} s ago`,
  ]);
  const workerColumns = ["worker", "run", "under way", "done", "seen"];
  printData(workers.length === 0 ? "no workers" : table(workerColumns, workerRows));
}

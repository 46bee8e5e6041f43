import { Option } from "commander";
import { openCluster } from "../../../cluster/cluster.js";
import { ClusterWorker } from "../../../cluster/worker.js";
import { CliCommand } from "../../cli-command.js";
import { withInterrupt } from "../../interrupt.js";
import { positive, wholeNumber } from "../../options.js";
import { say } from "../../output.js";
import { queueOption } from "../../queue-option.js";
import { EpisodeMetrics, serveWorkerEndpoint } from "../../worker-endpoint.js";

interface WorkerFlags {
  readonly queue: string;
  readonly agent?: string;
  readonly workers?: number;
  readonly concurrency?: number;
  readonly untilEmpty?: boolean;
  readonly lostAfter: number;
  readonly metricsPort?: number;
  readonly metricsHost: string;
}

/** One connection to take batches and one to record results; more would only wait for each other. */
const CONNECTIONS = 2;

export function workerCommand(): CliCommand {
  return new CliCommand("worker")
    .addOption(queueOption())
    .option(
      "--agent <url>",
      "the policy's address for this worker; it only takes runs whose agent is reached the same way",
    )
    .option(
      "--workers <n>",
      "threads that run episodes (default: one per core, or 1 if the agent requires it)",
      wholeNumber(1),
    )
    .option("--concurrency <n>", "concurrent episodes per thread", wholeNumber(1))
    .option("--until-empty", "exit when no run is left that this worker can take")
    .option(
      "--lost-after <seconds>",
      "seconds without a heartbeat after which its episodes go to others",
      positive,
      30,
    )
    .addOption(
      new Option("--metrics-port <n>", "answer /healthz, /readyz and /metrics there; 0: any port")
        .env("ROBOT_EVAL_METRICS_PORT")
        .argParser(wholeNumber(0)),
    )
    .option(
      "--metrics-host <name>",
      "address to listen on; ROBOT_EVAL_METRICS_TOKEN is required beyond this machine",
      "127.0.0.1",
    )
    .remarks(`
On Ctrl-C or SIGTERM it finishes the episodes under way, returns the others to the queue and exits with 0. Relative
paths of the benchmark start at the working directory.

Examples:
  robot-eval worker --queue postgres://lab@db/robots
  robot-eval worker --queue postgres://lab@db/robots --agent ws://localhost:8000 --concurrency 4`)
    .action(runWorker);
}

async function runWorker(flags: WorkerFlags): Promise<void> {
  const cluster = await openCluster(flags.queue, {
    connections: CONNECTIONS,
    name: "robot-eval worker",
  });
  const work = async (signal: AbortSignal) => {
    const episodes = new EpisodeMetrics();
    const worker = new ClusterWorker(cluster, {
      workers: flags.workers,
      concurrency: flags.concurrency,
      agent: flags.agent,
      untilEmpty: flags.untilEmpty,
      lostAfterMs: flags.lostAfter * 1000,
      onNotice: say,
      onEpisode: (line) => episodes.add(line),
    });
    say(`worker ${worker.stats.worker} at ${cluster.database.where}`);
    const { metricsHost: host, metricsPort: port } = flags;
    const endpoint =
      port === undefined
        ? undefined
        : await serveWorkerEndpoint({ host, port }, () => worker.stats, episodes);
    if (endpoint) say(`health and metrics at ${endpoint.url}`);
    try {
      await worker.run(signal);
    } finally {
      await endpoint?.close();
    }
    say(`${worker.stats.done} episodes recorded`);
  };
  await withInterrupt("finishing the episodes under way", work).finally(() => cluster.close());
}

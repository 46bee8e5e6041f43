import { Command } from "commander";
import { loadConfig } from "../../config/load.js";
import { ConfigError } from "../../core/errors.js";
import { UnifiedRobotEvaluator } from "../../evaluator/evaluator.js";
import { collect, integer, wholeNumber } from "../options.js";
import { type ResultFlags, withResultOptions } from "../result-options.js";
import { runCourse } from "../run-course.js";
import { parseThreshold, type Threshold } from "../thresholds.js";

export interface RunFlags extends ResultFlags {
  readonly agent?: string;
  readonly out?: string;
  readonly runId?: string;
  readonly workers?: number;
  readonly concurrency?: number;
  readonly limit?: number;
  readonly filter?: string;
  readonly shard?: string;
  readonly seed?: number;
  readonly set?: readonly string[];
  readonly queue?: string;
  readonly priority?: number;
  readonly detach?: boolean;
}

export function runCommand(): Command {
  const command = new Command("run")
    .description("evaluate an agent on a benchmark")
    .argument("<benchmark.yaml>")
    .option("--agent <spec>", "random, shortest-path, replay:<run>, ...; per task: vln=random,...")
    .option("--out <folder>", "parent folder of the run directory (default: output.log_dir)")
    .option("--run-id <name>", "the run directory's name (default: of time, benchmark and agent)")
    .option(
      "--workers <n>",
      "threads that run episodes (default: one for every 8 of them, at most one a core)",
      wholeNumber(1),
    )
    .option("--concurrency <n>", "episodes under way at once in each", wholeNumber(1))
    .option("--limit <n>", "episodes a task, from the first", wholeNumber(1))
    .option("--filter <expr>", "only these episodes: scene=house_*,id=3|7")
    .option("--shard <i/n>", "only the i-th of n parts of these episodes: 1/4")
    .option("--seed <n>", "in place of evaluation.seed", wholeNumber(0))
    .option("--set <path=value>", "change a value of the benchmark (repeatable)", collect);
  return withResultOptions(command)
    .option("--queue <url>", "let a cluster's workers run it: postgres://user@host:5432/database")
    .option("--priority <n>", "with --queue: the highest is run first (default 0)", integer)
    .option("--detach", "with --queue: do not wait for it; robot-eval pull fetches it")
    .addHelpText(
      "after",
      `
Examples:
  robot-eval run configs/benchmarks/vln_challenge.yaml --agent random
  robot-eval run my.yaml --agent ws://gpu1:8000 --queue postgres://lab@db/robots
  robot-eval run my.yaml --limit 10 --set evaluation.max_steps=50 --threshold success=0.5 --json`,
    )
    .action(run);
}

async function run(file: string, flags: RunFlags): Promise<void> {
  if (flags.queue !== undefined) {
    const { runOnCluster } = await import("../run-on-cluster.js");
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
        signal,
        onEvent,
      });
      const { tasks } = await evaluator.prepare();
      const reported = tasks.flatMap(({ judged }) => judged.metricNames);
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

/** A flag that would be passed over in silence otherwise. */
export function meaningless(flag: string, when: string): ConfigError {
  return new ConfigError("unused_flag", `--${flag} has no meaning ${when}`, { where: `--${flag}` });
}

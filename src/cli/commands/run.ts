import { EarlyThread } from "../../evaluator/execute/early-thread.js";
import { BENCHMARK_HELP } from "../benchmark-file.js";
import { CliCommand } from "../cli-command.js";
import { collect, integer, runName, tags, wholeNumber } from "../options.js";
import { type ResultFlags, resultOptions } from "../result-options.js";

export interface RunFlags extends ResultFlags {
  readonly agent?: string;
  readonly out?: string;
  readonly runId?: string;
  readonly name?: string;
  readonly tag?: Readonly<Record<string, string>>;
  readonly workers?: number;
  readonly concurrency?: number;
  readonly limit?: number;
  readonly first?: number;
  readonly filter?: string;
  readonly shard?: string;
  readonly seed?: number;
  readonly set?: readonly string[];
  readonly queue?: string;
  readonly priority?: number;
  readonly detach?: boolean;
  readonly dryRun?: boolean;
  readonly against?: string;
  readonly untilDecided?: boolean;
}

export function runCommand(): CliCommand {
  return new CliCommand("run")
    .argument("<benchmark>", BENCHMARK_HELP)
    .option("--agent <spec>", "random, shortest-path, replay:<run>, ...; per task: vln=random,...")
    .output(
      "--out <folder>",
      "parent folder of the run directory (default: output.log_dir)",
      "parent",
    )
    .option("--run-id <name>", "the run directory's name (default: from time, benchmark and agent)")
    .option("--name <text>", "a name for the run, shown with its results", runName)
    .option("--tag <key=value>", "a fact to find the run by (repeatable)", tags)
    .option(
      "--workers <n>",
      "threads that run episodes (default: one per 8 episodes, at most one per core)",
      wholeNumber(1),
    )
    .option("--concurrency <n>", "concurrent episodes per thread", wholeNumber(1))
    .option(
      "--limit <n>",
      "episodes per task: a sample over the scenes, by the seed",
      wholeNumber(1),
    )
    .option("--first <n>", "episodes per task, from the first of the file", wholeNumber(1))
    .option("--filter <expr>", "only these episodes: scene=house_*,id=3|7")
    .option("--shard <i/n>", "only the i-th of n parts of these episodes: 1/4")
    .option("--seed <n>", "replaces evaluation.seed", wholeNumber(0))
    .option("--set <path=value>", "change a value of the benchmark (repeatable)", collect)
    .with(resultOptions)
    .option("--dry-run", "check scenes, sensors and robots of these episodes, and run none")
    .option("--against <run>", "with --until-decided: a finished run to be compared with")
    .option("--until-decided", "stop as soon as one of both is better, as `duel` does")
    .option("--queue <url>", "run it on a cluster's workers: postgres://user@host:5432/database")
    .option("--priority <n>", "with --queue: higher runs first (default 0)", integer)
    .option("--detach", "with --queue: do not wait; fetch the run with robot-eval pull")
    .remarks(`
Examples:
  robot-eval run vln_challenge --agent random
  robot-eval run my.yaml --agent ws://gpu1:8000 --queue postgres://lab@db/robots
  robot-eval run my.yaml --limit 10 --set evaluation.max_steps=50 --threshold success=0.5 --json`)
    .action(run);
}

async function run(benchmark: string, flags: RunFlags): Promise<void> {
  if (flags.against !== undefined || flags.untilDecided) {
    const { duelWithRun } = await import("../run-duel.js");
    return duelWithRun(benchmark, flags);
  }
  // Before the modules of a run are loaded, so that both threads load theirs at the same time.
  const runsHere = flags.queue === undefined && !flags.dryRun;
  const early = runsHere ? EarlyThread.start(flags) : undefined;
  const { runBenchmark } = await import("../run-benchmark.js");
  await runBenchmark(benchmark, flags, early);
}

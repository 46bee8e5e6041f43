import { BENCHMARK_HELP } from "../benchmark-file.js";
import { CliCommand } from "../cli-command.js";
import { collect, integer, positive, wholeNumber } from "../options.js";

export interface DuelFlags {
  readonly agent?: readonly string[] | undefined;
  readonly against?: string | undefined;
  readonly out?: string | undefined;
  /** Parent of a folder with a default name; not a flag of `duel`. */
  readonly parent?: string | undefined;
  readonly margin?: number | undefined;
  readonly metric?: string | undefined;
  readonly workers?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly limit?: number | undefined;
  readonly first?: number | undefined;
  readonly filter?: string | undefined;
  readonly seed?: number | undefined;
  readonly set?: readonly string[] | undefined;
  readonly queue?: string | undefined;
  readonly priority?: number | undefined;
  readonly json?: boolean | undefined;
}

export function duelCommand(): CliCommand {
  return new CliCommand("duel")
    .argument("<benchmark>", BENCHMARK_HELP)
    .option("--agent <spec>", "a policy, as for `run`; give two or more (repeatable)", collect)
    .option("--against <run>", "a finished run whose policy takes part with its results")
    .output(
      "--out <folder>",
      "new folder for duel.json and the runs (default: in log_dir)",
      "folder",
    )
    .option("--margin <d>", "also stop when a larger difference is ruled out: 0.05", positive)
    .option("--metric <name>", "the metric that decides (default: each task's primary metric)")
    .option("--workers <n>", "threads that run episodes (default: as for `run`)", wholeNumber(1))
    .option("--concurrency <n>", "concurrent episodes per thread", wholeNumber(1))
    .option("--limit <n>", "at most n episodes per task: a sample over the scenes", wholeNumber(1))
    .option("--first <n>", "at most the first n episodes per task", wholeNumber(1))
    .option("--filter <expr>", "only these episodes: scene=house_*,id=3|7")
    .option("--seed <n>", "replaces evaluation.seed", wholeNumber(0))
    .option("--set <path=value>", "change a value of the benchmark (repeatable)", collect)
    .option("--queue <url>", "run it on a cluster's workers: postgres://user@host:5432/database")
    .option("--priority <n>", "with --queue: higher runs first (default 0)", integer)
    .option("--json", "print duel.json")
    .remarks(`
Examples:
  robot-eval duel vln_challenge --agent ws://gpu1:8000 --agent ws://gpu2:8000
  robot-eval duel vln_graph --agent noisy:0.86 --agent noisy:0.92 --margin 0.05
  robot-eval resume runs/<duel>                    continue an interrupted duel`)
    .action(duel);
}

async function duel(benchmark: string, flags: DuelFlags): Promise<void> {
  const { duelOnBenchmark } = await import("../run-duel.js");
  await duelOnBenchmark(benchmark, flags);
}

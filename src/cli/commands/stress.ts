import { BENCHMARK_HELP } from "../benchmark-file.js";
import { CliCommand } from "../cli-command.js";
import { collect, list, positive, wholeNumber } from "../options.js";

export interface StressFlags {
  readonly agent?: string;
  readonly axis?: readonly string[];
  readonly levels?: readonly string[];
  readonly paraphrases?: string;
  readonly earlyStop?: number;
  readonly out?: string;
  readonly runId?: string;
  readonly workers?: number;
  readonly concurrency?: number;
  readonly limit?: number;
  readonly filter?: string;
  readonly seed?: number;
  readonly set?: readonly string[];
  readonly json?: boolean;
}

export function stressCommand(): CliCommand {
  return new CliCommand("stress")
    .argument("<benchmark>", BENCHMARK_HELP)
    .option("--agent <spec>", "as for `run`")
    .option(
      "--axis <name>",
      "perturb this axis (repeatable; default: all that the benchmark offers)",
      collect,
    )
    .option("--levels <list>", "only these levels: 1,3 (default: all)", list)
    .option("--paraphrases <file>", "JSON file of paraphrases for the axis instruction_paraphrase")
    .option(
      "--early-stop <half-width>",
      "end a level once its success is known this precisely, for example 0.1",
      positive,
    )
    .output(
      "--out <folder>",
      "parent folder of the stress folder (default: output.log_dir)",
      "parent",
    )
    .option("--run-id <name>", "the stress folder's name (default: from time, benchmark and agent)")
    .option("--workers <n>", "threads that run episodes (default: as for `run`)", wholeNumber(1))
    .option("--concurrency <n>", "concurrent episodes per thread", wholeNumber(1))
    .option(
      "--limit <n>",
      "episodes per task: a sample over the scenes, by the seed",
      wholeNumber(1),
    )
    .option("--filter <expr>", "only these episodes: scene=house_*,id=3|7")
    .option("--seed <n>", "replaces evaluation.seed", wholeNumber(0))
    .option("--set <path=value>", "change a value of the benchmark (repeatable)", collect)
    .option("--json", "print the content of stress.json")
    .remarks(`
Every episode runs unperturbed, and again at each level of each axis; \`robot-eval list axes\` names them.
Continue an interrupted stress test with \`robot-eval resume <folder>\`.

Examples:
  robot-eval stress vln_challenge --agent ws://gpu1:8000 --limit 50
  robot-eval stress manipulation_challenge --agent noisy:0.05:expert --axis object_pose --axis action_noise
  robot-eval stress my.yaml --agent ws://gpu1:8000 --axis instruction_other --axis brightness --json`)
    .action(async (benchmark: string, flags: StressFlags) => {
      const { stressBenchmark } = await import("../stress-benchmark.js");
      await stressBenchmark(benchmark, flags);
    });
}

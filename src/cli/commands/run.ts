import { Command } from "commander";
import { loadConfig } from "../../config/load.js";
import type { RunResults } from "../../core/interfaces/result.js";
import { UnifiedRobotEvaluator } from "../../evaluator/evaluator.js";
import { interruptible } from "../interrupt.js";
import { collect, share, wholeNumber } from "../options.js";
import { printData, printJson, say } from "../output.js";
import { Progress } from "../progress.js";
import { resultText, whereText } from "../results.js";
import { missedThresholds, parseThreshold } from "../thresholds.js";

/** More than this share of invalid episodes is a failed run, unless the user says otherwise. */
const DEFAULT_INVALID_SHARE = 0.1;

interface RunFlags {
  readonly agent?: string;
  readonly out?: string;
  readonly workers?: number;
  readonly concurrency?: number;
  readonly limit?: number;
  readonly filter?: string;
  readonly shard?: string;
  readonly seed?: number;
  readonly set?: readonly string[];
  readonly threshold?: readonly string[];
  readonly failOnInvalid?: number;
  readonly json?: boolean;
}

export function runCommand(): Command {
  return new Command("run")
    .description("evaluate an agent on a benchmark")
    .argument("<benchmark.yaml>")
    .option("--agent <spec>", "random, shortest-path, replay:<run>, ...; per task: vln=random,...")
    .option("--out <folder>", "parent folder of the run directory (default: output.log_dir)")
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
    .option("--set <path=value>", "change a value of the benchmark (repeatable)", collect)
    .option(
      "--threshold <metric=value>",
      "exit with 4 when the mean misses it (repeatable)",
      collect,
    )
    .option("--fail-on-invalid <share>", "exit with 3 above this share (default 0.1)", share)
    .option("--json", "print the summary as one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  robot-eval run configs/benchmarks/vln_challenge.yaml --agent random
  robot-eval run my.yaml --limit 10 --set evaluation.max_steps=50 --threshold success=0.5 --json`,
    )
    .action(run);
}

async function run(file: string, flags: RunFlags): Promise<void> {
  let started = false;
  // Until then nothing is written, and a policy may be long in coming.
  const interrupt = interruptible("stopping after the episodes under way", () => started);
  const onStart = () => {
    started = true;
  };
  try {
    await runUntil({ signal: interrupt.signal, onStart }, file, flags);
  } finally {
    interrupt.release();
  }
}

interface Course {
  readonly signal: AbortSignal;
  onStart(): void;
}

async function runUntil({ signal, onStart }: Course, file: string, flags: RunFlags): Promise<void> {
  const loaded = loadConfig(file, flags.set ? { set: flags.set } : {});
  const progress = new Progress();
  const evaluator = new UnifiedRobotEvaluator(loaded, {
    agent: flags.agent,
    seed: flags.seed,
    limit: flags.limit,
    filter: flags.filter,
    shard: flags.shard,
    outDir: flags.out,
    workers: flags.workers ?? "auto",
    concurrency: flags.concurrency,
    signal,
    onEvent: (event) => {
      if (event.type === "started") onStart();
      progress.onEvent(event);
    },
  });
  const plan = await evaluator.prepare();
  const reported = plan.tasks.flatMap(({ judged }) => judged.metricNames);
  const thresholds = (flags.threshold ?? []).map((text) => parseThreshold(text, reported));
  const results = await evaluator.run();
  progress.finish();
  if (flags.json) printJson(results);
  else printData(resultText(results));
  const missed = missedThresholds(results, thresholds);
  for (const text of missed) say(`threshold missed: ${text}`);
  const allowed =
    flags.failOnInvalid ?? loaded.config.evaluation.fail_on_invalid ?? DEFAULT_INVALID_SHARE;
  process.exitCode = exitCode(results, allowed, missed.length);
  say(whereText(results));
}

function exitCode(results: RunResults, allowedInvalid: number, missed: number): number {
  if (results.status === "cancelled") return 130;
  const { invalid, total } = results.episodes;
  if (invalid > allowedInvalid * total) {
    say(
      `too many invalid episodes: ${invalid} of ${total} (allowed: a share of ${allowedInvalid})`,
    );
    return 3;
  }
  return missed > 0 ? 4 : 0;
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../core/errors.js";
import { DUEL_FILE } from "../../evaluator/duel/duel-document.js";
import { resumeRun } from "../../evaluator/resume.js";
import { isStressFolder } from "../../runs/stress/read-stress.js";
import { benchmarkFile } from "../benchmark-file.js";
import { CliCommand } from "../cli-command.js";
import { collect, rejectUnused, wholeNumber } from "../options.js";
import { type ResultFlags, resultOptions } from "../result-options.js";
import { ResultRequirements, runWithProgress } from "../run-with-progress.js";

interface ResumeFlags extends ResultFlags {
  readonly retryInvalid?: boolean;
  readonly agent?: string;
  readonly workers?: number;
  readonly concurrency?: number;
  readonly set?: readonly string[];
}

const IN_STRESS = "on a stress folder; resume one of its runs instead";

export function resumeCommand(): CliCommand {
  return new CliCommand("resume")
    .argument("<run>", "run directory, or the folder of a duel or a stress test")
    .argument("[benchmark]", "a name or a YAML file; must equal the run's benchmark")
    .option("--retry-invalid", "try invalid episodes again, at most twice each")
    .option("--agent <url>", "the current address of the run's policy")
    .option("--workers <n>", "threads that run episodes (default: as for `run`)", wholeNumber(1))
    .option("--concurrency <n>", "concurrent episodes per thread", wholeNumber(1))
    .option("--set <path=value>", "rejected if it changes anything (repeatable)", collect)
    .with(resultOptions)
    .remarks(`
Examples:
  robot-eval resume runs/20260101T120000Z-vln-challenge-random
  robot-eval resume runs/20260101T120000Z-vln-challenge-ws --retry-invalid --agent ws://gpu2:8000`)
    .action(resume);
}

function unusedBenchmark(where: string): ConfigError {
  return new ConfigError("unused_argument", "a benchmark has no effect on a duel", { where });
}

async function resume(
  path: string,
  benchmark: string | undefined,
  flags: ResumeFlags,
): Promise<void> {
  if (await isStressFolder(path)) {
    rejectUnused(
      flags,
      ["retryInvalid", "agent", "set", "threshold", "failOnInvalid", "report"],
      IN_STRESS,
    );
    const { continueStress } = await import("../stress-benchmark.js");
    return continueStress(path, flags);
  }
  const { retryInvalid, agent, set, workers = "auto", concurrency } = flags;
  if (existsSync(join(path, DUEL_FILE))) {
    if (benchmark !== undefined) throw unusedBenchmark(benchmark);
    const unused = ["agent", "set", "threshold", "report", "failOnInvalid"] as const;
    rejectUnused(flags, unused, "on a duel");
    const { continueDuel } = await import("../run-duel.js");
    return continueDuel(path, { retryInvalid, workers, concurrency, json: flags.json });
  }
  const requirements = new ResultRequirements(flags);
  await runWithProgress(requirements, (tools) =>
    resumeRun(path, {
      ...{ retryInvalid, agent, set, workers, concurrency },
      benchmark: benchmark === undefined ? undefined : benchmarkFile(benchmark),
      onPlan: requirements.onPlan,
      ...tools,
    }),
  );
}

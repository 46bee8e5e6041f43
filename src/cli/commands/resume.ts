import { Command } from "commander";
import { isRecord } from "../../core/record.js";
import { resumeRun } from "../../evaluator/resume.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { benchmarkFile } from "../benchmark-file.js";
import { collect, wholeNumber } from "../options.js";
import { type ResultFlags, withResultOptions } from "../result-options.js";
import { runCourse } from "../run-course.js";
import { parseThreshold, type Threshold } from "../thresholds.js";

interface ResumeFlags extends ResultFlags {
  readonly retryInvalid?: boolean;
  readonly agent?: string;
  readonly workers?: number;
  readonly concurrency?: number;
  readonly set?: readonly string[];
}

export function resumeCommand(): Command {
  const command = new Command("resume")
    .argument("<run>", "its directory")
    .argument("[benchmark]", "a name or a YAML file; must equal the run's benchmark")
    .option("--retry-invalid", "try invalid episodes again, at most twice each")
    .option("--agent <url>", "the current address of the run's policy")
    .option("--workers <n>", "threads that run episodes (default: as for `run`)", wholeNumber(1))
    .option("--concurrency <n>", "concurrent episodes per thread", wholeNumber(1))
    .option("--set <path=value>", "rejected if it changes anything (repeatable)", collect);
  return withResultOptions(command)
    .addHelpText(
      "after",
      `
Examples:
  robot-eval resume runs/20260101T120000Z-vln-challenge-random
  robot-eval resume runs/20260101T120000Z-vln-challenge-ws --retry-invalid --agent ws://gpu2:8000`,
    )
    .action(resume);
}

async function resume(
  path: string,
  benchmark: string | undefined,
  flags: ResumeFlags,
): Promise<void> {
  const { config } = await (await RunDirectory.open(path)).info();
  let thresholds: readonly Threshold[] = [];
  await runCourse(
    (tools) =>
      resumeRun(path, {
        retryInvalid: flags.retryInvalid,
        agent: flags.agent,
        benchmark: benchmark === undefined ? undefined : benchmarkFile(benchmark),
        set: flags.set,
        workers: flags.workers ?? "auto",
        concurrency: flags.concurrency,
        onPlan: ({ tasks }) => {
          const reported = tasks.flatMap(({ task }) => task.metricNames);
          thresholds = (flags.threshold ?? []).map((text) => parseThreshold(text, reported));
        },
        ...tools,
      }),
    () => ({
      json: flags.json,
      reports: flags.report,
      thresholds,
      allowedInvalid: flags.failOnInvalid ?? allowed(config),
    }),
  );
}

function allowed({ evaluation }: Readonly<Record<string, unknown>>): number | undefined {
  const share = isRecord(evaluation) ? evaluation.fail_on_invalid : undefined;
  return typeof share === "number" ? share : undefined;
}

import { stat } from "node:fs/promises";
import { Command } from "commander";
import { ConfigError, DataError } from "../../core/errors.js";
import type { RunResults } from "../../core/interfaces/result.js";
import { createRegistries } from "../../registry/registries.js";
import { scoreRun } from "../../runs/score-run.js";
import { scoreSubmission } from "../../runs/score-submission.js";
import { interruptible } from "../interrupt.js";
import { list } from "../options.js";
import { printData, printJson, say } from "../output.js";
import { resultText, whereText } from "../results.js";

interface ScoreFlags {
  readonly format?: string;
  readonly dataset?: string;
  readonly connectivity?: string;
  readonly profile?: string;
  readonly metrics?: readonly string[];
  readonly partial?: boolean;
  readonly out: string;
  readonly json?: boolean;
}

export function scoreCommand(): Command {
  return new Command("score")
    .description("score a submission file, or score a recorded run again")
    .argument("<run | submission>")
    .option("--format <name>", "format of the dataset (default: found out from its content)")
    .option("--dataset <path>", "the dataset that the submission answers")
    .option("--connectivity <folder>", "navigation graphs, <scene>_connectivity.json")
    .option("--profile <name>", "metric conventions (default: the format's, or the run's own)")
    .option("--metrics <names>", "metrics with commas between them", list)
    .option("--partial", "score a submission that lacks predictions for some episodes")
    .option("--out <folder>", "parent folder of the run directory that is made", "runs")
    .option("--json", "print the summary as one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  robot-eval score predictions.json --format ndh --dataset val_unseen.json --connectivity graphs/
  robot-eval score runs/20260101T120000Z-vln-challenge-random --profile r2r --metrics success,spl`,
    )
    .action(score);
}

async function score(path: string, flags: ScoreFlags): Promise<void> {
  const interrupt = interruptible("stopping");
  const results = await scored(path, flags, interrupt.signal).finally(() => interrupt.release());
  if (flags.json) printJson(results);
  else printData(resultText(results));
  say(whereText(results));
}

async function scored(path: string, flags: ScoreFlags, signal: AbortSignal): Promise<RunResults> {
  const { out: outDir, profile, metrics, connectivity, format, partial } = flags;
  const registries = createRegistries();
  const common = { path, outDir, profile, metrics, connectivity, registries, signal };
  const found = await stat(path).catch(() => undefined);
  if (!found) {
    throw new DataError("missing_file", "there is no such run directory or submission", {
      where: path,
    });
  }
  if (found.isDirectory()) return scoreRun(common);
  if (flags.dataset === undefined) {
    throw new ConfigError("no_dataset", "a submission is scored against its dataset", {
      hint: "name it with --dataset",
    });
  }
  return scoreSubmission({ ...common, dataset: flags.dataset, format, partial });
}

import { compareWithBaseline } from "../../runs/compare/compare.js";
import type { RunComparisons } from "../../runs/compare/documents.js";
import { CliCommand } from "../cli-command.js";
import { wholeNumber } from "../options.js";
import { printData, printJson, say } from "../output.js";
import { comparisonText } from "../text/compare-text.js";

/** Maximum number of flipped episodes shown in each direction. */
const SHOWN_FLIPS = 10;

interface CompareFlags {
  readonly shared?: boolean;
  readonly flips?: number;
  readonly failIfWorse?: boolean;
  readonly json?: boolean;
}

export function compareCommand(): CliCommand {
  return new CliCommand("compare")
    .argument("<runs...>", "two or more run directories")
    .option("--shared", "compare only the episodes that both runs have")
    .option(
      "--flips <n>",
      `flipped episodes to explain in each direction (default ${SHOWN_FLIPS}; all with --json)`,
      wholeNumber(0),
    )
    .option("--fail-if-worse", "exit with 4 when a primary metric is significantly worse")
    .option("--json", "print one JSON document")
    .remarks(`
Examples:
  robot-eval compare runs/baseline runs/candidate
  robot-eval compare runs/main runs/branch --fail-if-worse --json > comparison.json`)
    .action(compare);
}

async function compare(
  paths: readonly string[],
  flags: CompareFlags,
  command: CliCommand,
): Promise<void> {
  const [first, ...others] = paths;
  if (first === undefined || others.length === 0) {
    command.error("error: compare needs two or more run directories");
    return;
  }
  const compared = await compareWithBaseline(first, others, {
    shared: flags.shared,
    explained: flags.flips ?? (flags.json ? undefined : SHOWN_FLIPS),
  });
  const { comparisons } = compared;
  if (flags.json) printJson(comparisons.length === 1 ? comparisons[0] : compared);
  else printData(comparisons.map(comparisonText).join("\n\n"));
  if (!flags.failIfWorse) return;
  const failures = failuresOf(compared);
  for (const text of failures) say(text);
  if (failures.length > 0) process.exitCode = 4;
}

/** A task without judged episodes fails the check, because nothing was shown. */
function failuresOf({ comparisons }: RunComparisons): string[] {
  return comparisons.flatMap(({ b, metrics, unjudged_tasks }) => [
    ...metrics
      .filter((row) => row.primary && row.verdict === "worse")
      .map(({ task, metric }) => `worse: ${metric} of ${task} in ${b.run_dir}`),
    ...unjudged_tasks.map((task) => `nothing of ${task} could be compared with ${b.run_dir}`),
  ]);
}

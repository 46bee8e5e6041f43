import { Command } from "commander";
import { createRegistries } from "../../registry/registries.js";
import { mergeRuns } from "../../runs/merge/merge-runs.js";
import { interruptible } from "../interrupt.js";
import { collect } from "../options.js";
import { printData, printJson, say } from "../output.js";
import { resultText, whereText } from "../results.js";
import { missedThresholds, parseThreshold, type Threshold } from "../thresholds.js";

interface MergeFlags {
  readonly out: string;
  readonly runId?: string;
  readonly partial?: boolean;
  readonly agent?: string;
  readonly threshold?: readonly string[];
  readonly json?: boolean;
}

export function mergeCommand(): Command {
  return new Command("merge")
    .description("put the runs of a benchmark's shards together into one run")
    .argument("<runs...>", "their directories")
    .option("--out <folder>", "parent folder of the run directory that is made", "runs")
    .option("--run-id <name>", "its name (default: of time, benchmark and agent)")
    .option("--partial", "merge what there is, and say what is missing")
    .option("--agent <name>", "the policy, where its servers stood at different addresses")
    .option(
      "--threshold <metric=value>",
      "exit with 4 when the mean misses it (repeatable)",
      collect,
    )
    .option("--json", "print the summary as one JSON document")
    .addHelpText(
      "after",
      `
Example:
  robot-eval run my.yaml --agent random --shard 1/2 --out runs/parts --run-id shard-1
  robot-eval run my.yaml --agent random --shard 2/2 --out runs/parts --run-id shard-2
  robot-eval merge runs/parts/shard-1 runs/parts/shard-2`,
    )
    .action(merge);
}

async function merge(paths: readonly string[], flags: MergeFlags): Promise<void> {
  const interrupt = interruptible("stopping");
  let thresholds: readonly Threshold[] = [];
  const results = await mergeRuns({
    paths,
    outDir: flags.out,
    runId: flags.runId,
    partial: flags.partial,
    agent: flags.agent,
    registries: createRegistries(),
    onMetrics: (names) => {
      thresholds = (flags.threshold ?? []).map((text) => parseThreshold(text, names));
    },
    signal: interrupt.signal,
  }).finally(() => interrupt.release());
  if (flags.json) printJson(results);
  else printData(resultText(results));
  for (const warning of results.warnings) say(`note: ${warning}`);
  const missed = missedThresholds(results, thresholds);
  for (const text of missed) say(`threshold missed: ${text}`);
  if (missed.length > 0) process.exitCode = 4;
  say(whereText(results));
}

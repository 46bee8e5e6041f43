import { Command } from "commander";
import { createRegistries } from "../../registry/registries.js";
import { mergeRuns } from "../../runs/merge/merge-runs.js";
import { interruptible } from "../interrupt.js";
import { collect } from "../options.js";
import { printData, printJson, say } from "../output.js";
import { OutputOption } from "../output-option.js";
import { type PermissionFlags, withPermissionOptions } from "../permission-options.js";
import { resultText, whereText } from "../results.js";
import { missedThresholds, parseThreshold, type Threshold } from "../thresholds.js";

interface MergeFlags extends Pick<PermissionFlags, "plugin"> {
  readonly out: string;
  readonly runId?: string;
  readonly partial?: boolean;
  readonly agent?: string;
  readonly threshold?: readonly string[];
  readonly json?: boolean;
}

export function mergeCommand(): Command {
  const command = new Command("merge")
    .argument("<runs...>", "their directories")
    .addOption(
      new OutputOption("--out <folder>", "parent folder of the new run directory", {
        kind: "parent",
      }).default("runs"),
    )
    .option("--run-id <name>", "its name (default: of time, benchmark and agent)")
    .option("--partial", "merge the available shards and report missing ones")
    .option("--agent <name>", "the policy's name, if its servers had different addresses")
    .option("--threshold <metric=value>", "exit with 4 if the mean misses it (repeatable)", collect)
    .option("--json", "print the summary as one JSON document");
  return withPermissionOptions(command, ["plugin"])
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
    plugins: flags.plugin,
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

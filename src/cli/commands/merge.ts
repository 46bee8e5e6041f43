import type { Threshold } from "../../config/threshold.js";
import { createRegistries } from "../../registry/registries.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { mergeRuns } from "../../runs/merge/merge-runs.js";
import { parseThresholds } from "../../runs/thresholds.js";
import { CliCommand } from "../cli-command.js";
import { withInterrupt } from "../interrupt.js";
import { collect } from "../options.js";
import { printResult, say } from "../output.js";
import { type PermissionFlags, permissionOptions } from "../permission-options.js";
import { resultText, whereText } from "../results.js";
import { recordedThresholds, tellVerdicts, withVerdicts } from "../thresholds.js";

interface MergeFlags extends Pick<PermissionFlags, "plugin"> {
  readonly out: string;
  readonly runId?: string;
  readonly partial?: boolean;
  readonly agent?: string;
  readonly threshold?: readonly string[];
  readonly json?: boolean;
}

export function mergeCommand(): CliCommand {
  return new CliCommand("merge")
    .argument("<runs...>", "run directories")
    .output("--out <folder>", "parent folder of the new run directory", "parent", {
      fallback: "runs",
    })
    .option("--run-id <name>", "the run directory's name (default: from time, benchmark and agent)")
    .option("--partial", "merge the available shards and report missing ones")
    .option("--agent <name>", "the policy's name, if its servers had different addresses")
    .option("--threshold <metric=value>", "exit with 4 if it is missed (repeatable)", collect)
    .option("--json", "print the summary as one JSON document")
    .with(permissionOptions("plugin"))
    .remarks(`
Example:
  robot-eval run my.yaml --agent random --shard 1/2 --out runs/parts --run-id shard-1
  robot-eval run my.yaml --agent random --shard 2/2 --out runs/parts --run-id shard-2
  robot-eval merge runs/parts/shard-1 runs/parts/shard-2`)
    .action(merge);
}

async function merge(paths: readonly string[], flags: MergeFlags): Promise<void> {
  const { out: outDir, runId, partial, agent, plugin: plugins } = flags;
  const [first] = paths;
  const recorded =
    first === undefined ? [] : recordedThresholds(await (await RunDirectory.open(first)).info());
  let thresholds: readonly Threshold[] = [];
  const results = await withInterrupt("stopping", (signal) =>
    mergeRuns({
      ...{ paths, outDir, runId, partial, agent, plugins, signal },
      registries: createRegistries(),
      onMetrics: (names) => {
        thresholds = parseThresholds([...recorded, ...(flags.threshold ?? [])], names);
      },
    }),
  );
  printResult(flags.json, withVerdicts(results, thresholds), resultText);
  for (const warning of results.warnings) say(`note: ${warning}`);
  tellVerdicts(results, thresholds);
  say(whereText(results));
}

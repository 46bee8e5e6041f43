import { stat } from "node:fs/promises";
import type { Threshold } from "../../config/threshold.js";
import { DataError } from "../../core/errors.js";
import type { RunResults } from "../../core/interfaces/result.js";
import { parseColumns } from "../../dataset/results/columns.js";
import { createRegistries } from "../../registry/registries.js";
import { interval, number } from "../../runs/report/format.js";
import type { ScoreOptions } from "../../runs/score/score-options.js";
import { type ImportedResults, scoreResults } from "../../runs/score/score-results.js";
import { type ScoredRun, scoreRun } from "../../runs/score/score-run.js";
import { scoreSubmission } from "../../runs/score/score-submission.js";
import type { SceneRate } from "../../runs/summary/scene-rates.js";
import { parseThresholds, type ReportedMetrics } from "../../runs/thresholds.js";
import { CliCommand } from "../cli-command.js";
import { withInterrupt } from "../interrupt.js";
import { collect, list, rejectUnused } from "../options.js";
import { printResult, say, table } from "../output.js";
import { resultText, whereText } from "../results.js";
import { tellVerdicts, withVerdicts } from "../thresholds.js";

/** Maximum number of scenes shown. A LIBERO suite has ten tasks, an ObjectNav split dozens of scenes. */
const SHOWN_SCENES = 20;

interface ScoreFlags {
  readonly format?: string;
  readonly dataset?: string;
  readonly connectivity?: string;
  readonly scenes?: string;
  readonly plugin?: readonly string[];
  readonly profile?: string;
  readonly metrics?: readonly string[];
  readonly set?: readonly string[];
  readonly partial?: boolean;
  readonly columns?: readonly string[];
  readonly task?: string;
  readonly threshold?: readonly string[];
  readonly out: string;
  readonly json?: boolean;
}

export function scoreCommand(): CliCommand {
  return new CliCommand("score")
    .argument("<run | submission | results>")
    .option("--format <name>", "format of the dataset, or of the results (default: by content)")
    .option("--dataset <path>", "the dataset of the submission")
    .option("--connectivity <folder>", "navigation graphs, <scene>_connectivity.json")
    .option("--scenes <folder>", "the scenes' files, <scene>.glb with its .navmesh")
    .option(
      "--plugin <module>",
      "a plugin's file or package, in place of the run's (repeatable)",
      collect,
    )
    .option("--profile <name>", "metric conventions (default: the format's, or the run's own)")
    .option("--metrics <names>", "comma-separated metrics", list)
    .option("--set <path=value>", "change a setting of the metrics (repeatable)", collect)
    .option("--partial", "score a submission that lacks predictions for some episodes")
    .option("--columns <name=column,...>", "column names of a results table", list)
    .option("--task <name>", "task name for a results file without one")
    .option("--threshold <metric=value>", "exit with 4 if the mean misses it (repeatable)", collect)
    .output("--out <folder>", "parent folder of the new run directory", "parent", {
      fallback: "runs",
    })
    .option("--json", "print the summary as one JSON document")
    .remarks(`
Examples:
  robot-eval score predictions.json --format ndh --dataset val_unseen.json --connectivity graphs/
  robot-eval score runs/20260101T120000Z-vln-challenge-random --profile r2r --metrics success,spl
  robot-eval score runs/20260101T120000Z-vln-challenge-random --set vln_task.config.success_distance=1
  robot-eval score stats_ep_ckpt_0_val_unseen.json
  robot-eval score results.csv --columns episode_id=id,success=ok,scene_id=scene,spl=spl`)
    .action(score);
}

async function score(path: string, flags: ScoreFlags): Promise<void> {
  let thresholds: readonly Threshold[] = [];
  const onMetrics = (names: ReportedMetrics) => {
    thresholds = parseThresholds(flags.threshold, names);
  };
  const results = await withInterrupt("stopping", (signal) =>
    scored(path, flags, { signal, onMetrics }),
  );
  const scenes = isImported(results) ? sceneTables(results) : [];
  printResult(flags.json, withVerdicts(results, thresholds), () =>
    [resultText(results), ...scenes].join("\n\n"),
  );
  for (const warning of "warnings" in results ? results.warnings : []) say(`note: ${warning}`);
  tellVerdicts(results, thresholds);
  say(whereText(results));
}

type Tools = Pick<ScoreOptions, "signal" | "onMetrics">;

async function scored(
  path: string,
  flags: ScoreFlags,
  tools: Tools,
): Promise<RunResults | ScoredRun | ImportedResults> {
  const { out: outDir, profile, metrics, set, format, partial, dataset, task } = flags;
  const places = { connectivity: flags.connectivity, scenes: flags.scenes };
  const registries = createRegistries();
  const common = { path, outDir, profile, metrics, registries, ...tools };
  const found = await stat(path).catch(() => undefined);
  if (!found) {
    const what = "the run directory, submission or results file";
    throw new DataError("missing_file", `${what} does not exist`, { where: path });
  }
  const hint = "remove it; add --dataset to score a submission";
  if (found.isDirectory()) {
    rejectUnused(flags, ["columns", "task"], "for a run directory", hint);
    return scoreRun({ ...common, ...places, set, plugins: flags.plugin });
  }
  if (dataset !== undefined) {
    rejectUnused(flags, ["columns", "task", "plugin"], "for a submission (--dataset)", hint);
    return scoreSubmission({ ...common, ...places, set, dataset, format, partial });
  }
  const unused = ["connectivity", "scenes", "plugin", "partial", "set"] as const;
  rejectUnused(flags, unused, "for a results file", hint);
  const columns = flags.columns && parseColumns(flags.columns);
  return scoreResults({ ...common, format, columns, task });
}

function isImported(results: RunResults): results is ImportedResults {
  return "per_scene" in results;
}

/** Success by scene, one table per task, the lowest first. */
function sceneTables({ per_scene }: ImportedResults): string[] {
  return Object.entries(per_scene).map(([task, scenes]) => {
    const sorted = [...scenes].sort((a, b) => (a.mean ?? 2) - (b.mean ?? 2));
    const rows = sorted.slice(0, SHOWN_SCENES).map(sceneRow);
    const more = sorted.length - rows.length;
    const rest = more > 0 ? `\n  and ${more} more (--json)` : "";
    return table([`  ${task} by scene`, "success", "95 % interval", "n", ""], rows) + rest;
  });
}

function sceneRow({ scene_id, mean, ci95, count, n_invalid }: SceneRate): string[] {
  return [
    `  ${scene_id}`,
    number(mean),
    interval(ci95),
    String(count),
    n_invalid > 0 ? `${n_invalid} invalid not counted` : "",
  ];
}

import { stat } from "node:fs/promises";
import { Command } from "commander";
import { ConfigError, DataError } from "../../core/errors.js";
import type { RunResults } from "../../core/interfaces/result.js";
import { parseColumns } from "../../dataset/results/columns.js";
import { createRegistries } from "../../registry/registries.js";
import type { SceneRate } from "../../runs/scene-rates.js";
import type { ScoreOptions } from "../../runs/score-options.js";
import { type ImportedResults, scoreResults } from "../../runs/score-results.js";
import { type ScoredRun, scoreRun } from "../../runs/score-run.js";
import { scoreSubmission } from "../../runs/score-submission.js";
import { interruptible } from "../interrupt.js";
import { collect, list } from "../options.js";
import { number, printData, printJson, say, table } from "../output.js";
import { resultText, whereText } from "../results.js";
import { missedThresholds, parseThreshold, type Threshold } from "../thresholds.js";

/** A LIBERO suite has ten tasks, an ObjectNav split dozens of scenes. */
const SHOWN_SCENES = 20;

interface ScoreFlags {
  readonly format?: string;
  readonly dataset?: string;
  readonly connectivity?: string;
  readonly scenes?: string;
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

export function scoreCommand(): Command {
  return new Command("score")
    .description("score a submission, score a recorded run again, or import results by episode")
    .argument("<run | submission | results>")
    .option("--format <name>", "format of the dataset, or of the results (default: by content)")
    .option("--dataset <path>", "the dataset that the submission answers")
    .option("--connectivity <folder>", "navigation graphs, <scene>_connectivity.json")
    .option("--scenes <folder>", "the scenes' files, <scene>.glb with its .navmesh")
    .option("--profile <name>", "metric conventions (default: the format's, or the run's own)")
    .option("--metrics <names>", "metrics with commas between them", list)
    .option("--set <path=value>", "change a setting that judges (repeatable)", collect)
    .option("--partial", "score a submission that lacks predictions for some episodes")
    .option("--columns <name=column,...>", "what a results table calls its columns", list)
    .option("--task <name>", "what to call the task of a results file that names none")
    .option(
      "--threshold <metric=value>",
      "exit with 4 when the mean misses it (repeatable)",
      collect,
    )
    .option("--out <folder>", "parent folder of the run directory that is made", "runs")
    .option("--json", "print the summary as one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  robot-eval score predictions.json --format ndh --dataset val_unseen.json --connectivity graphs/
  robot-eval score runs/20260101T120000Z-vln-challenge-random --profile r2r --metrics success,spl
  robot-eval score runs/20260101T120000Z-vln-challenge-random --set vln_task.config.success_distance=1
  robot-eval score stats_ep_ckpt_0_val_unseen.json
  robot-eval score results.csv --columns episode_id=id,success=ok,scene_id=scene,spl=spl`,
    )
    .action(score);
}

async function score(path: string, flags: ScoreFlags): Promise<void> {
  let thresholds: readonly Threshold[] = [];
  const onMetrics = (names: readonly string[]) => {
    thresholds = (flags.threshold ?? []).map((text) => parseThreshold(text, names));
  };
  const interrupt = interruptible("stopping");
  const results = await scored(path, flags, { signal: interrupt.signal, onMetrics }).finally(() =>
    interrupt.release(),
  );
  if (flags.json) printJson(results);
  else {
    printData(resultText(results));
    for (const text of isImported(results) ? sceneTables(results) : []) printData(`\n${text}`);
  }
  for (const warning of "warnings" in results ? results.warnings : []) say(`note: ${warning}`);
  const missed = missedThresholds(results, thresholds);
  for (const text of missed) say(`threshold missed: ${text}`);
  if (missed.length > 0) process.exitCode = 4;
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
    throw new DataError("missing_file", "there is no such run directory, submission or results", {
      where: path,
    });
  }
  if (found.isDirectory()) {
    refuse(flags, "a run directory", ["columns", "task"]);
    return scoreRun({ ...common, ...places, set });
  }
  if (dataset !== undefined) {
    refuse(flags, "a submission (--dataset)", ["columns", "task"]);
    return scoreSubmission({ ...common, ...places, set, dataset, format, partial });
  }
  refuse(flags, "a results file", ["connectivity", "scenes", "partial", "set"]);
  const columns = flags.columns && parseColumns(flags.columns);
  return scoreResults({ ...common, format, columns, task });
}

/** A flag that would do nothing is a misunderstanding, and better told than passed over. */
function refuse(flags: ScoreFlags, what: string, names: readonly (keyof ScoreFlags)[]): void {
  for (const name of names) {
    if (flags[name] === undefined) continue;
    throw new ConfigError("unused_flag", `--${name} has no meaning for ${what}`, {
      where: `--${name}`,
      hint: "leave it out; a submission is told by --dataset",
    });
  }
}

function isImported(results: RunResults): results is ImportedResults {
  return "per_scene" in results;
}

/** Success by scene, a table a task, the weakest first. */
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
    ci95 ? `[${number(ci95[0])}, ${number(ci95[1])}]` : "–",
    String(count),
    n_invalid > 0 ? `${n_invalid} invalid not counted` : "",
  ];
}

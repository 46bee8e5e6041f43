import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BaseEpisode } from "../../../core/episode/base.js";
import { cutLong } from "../../../core/text.js";
import { MatterportGraphs } from "../../../dataset/formats/matterport-connectivity.js";
import { type LintReport, lintDataset } from "../../../dataset/lint/report.js";
import type { LintFinding, Severity } from "../../../dataset/lint/types.js";
import { isGenerated, SceneFolder } from "../../../dataset/scenes.js";
import { createRegistries } from "../../../registry/registries.js";
import { CliCommand } from "../../cli-command.js";
import { wholeNumber } from "../../options.js";
import { paint, printResult } from "../../output.js";

interface LintFlags {
  readonly format?: string;
  readonly connectivity?: string;
  readonly dataRoot?: string;
  readonly taskType?: string;
  readonly gt?: string;
  readonly max: number;
  readonly strict?: boolean;
  readonly json?: boolean;
}

export function lintCommand(): CliCommand {
  return new CliCommand("lint")
    .argument("<dataset>")
    .option("--format <name>", "the dataset's format (default: detected from its content)")
    .option("--connectivity <folder>", "navigation graphs, <scene>_connectivity.json")
    .option("--data-root <folder>", "also check that the scenes' files exist, and their content")
    .option("--task-type <type>", "only episodes of this type")
    .option("--gt <file>", "ground-truth file, if it is not next to the dataset")
    .option("--max <n>", "maximum number of findings shown per rule", wholeNumber(0), 10)
    .option("--strict", "exit with 2 for warnings too")
    .option("--json", "print one JSON document")
    .remarks(`
Examples:
  robot-eval lint val_seen.json.gz --data-root data
  robot-eval lint R2R_val_unseen.json --connectivity graphs/ --strict --json`)
    .action(lint);
}

async function lint(path: string, flags: LintFlags): Promise<void> {
  const graphs = flags.connectivity ?? graphsBeside(path);
  const report = await lintDataset({
    path,
    format: flags.format,
    formats: createRegistries().formats,
    graphs: graphs === undefined ? undefined : new MatterportGraphs(graphs),
    taskType: flags.taskType,
    gtPath: flags.gt,
    dataRoot: flags.dataRoot,
    reachable: graphs === undefined ? (episode) => reachable(episode, flags.dataRoot) : undefined,
    maxPerRule: flags.max,
  });
  printResult(flags.json, report, lintText);
  const { error, warning } = report.counts;
  process.exitCode = error > 0 || (flags.strict && warning > 0) ? 2 : 0;
}

/** Generated scenes are always available, others in the given folder. Loading one takes a while. */
async function reachable(
  episode: BaseEpisode,
  dataRoot: string | undefined,
): Promise<boolean | undefined> {
  if (dataRoot === undefined && !isGenerated(episode.sceneId)) return undefined;
  const { isReachable } = await import("../../../simulator/navigation/reachability.js");
  return isReachable(episode, dataRoot === undefined ? undefined : new SceneFolder(dataRoot));
}

/** The folder of navigation graphs that a benchmark would use for this file. */
function graphsBeside(path: string): string | undefined {
  const folder = join(dirname(path), "connectivity");
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
  return isFile && existsSync(folder) ? folder : undefined;
}

const COLOURS: Readonly<Record<Severity, "red" | "yellow" | "cyan">> = {
  error: "red",
  warning: "yellow",
  info: "cyan",
};

/** A report for people: the subject, then the findings rule by rule, the worst first. */
function lintText(report: LintReport): string {
  const { rules, findings, dataset, format_name, episodes, unreadable } = report;
  const unread = unreadable > 0 ? ` and ${counted(unreadable, "unreadable entry")}` : "";
  const what = `${format_name ?? "format unknown"}, ${counted(episodes, "episode")}${unread}`;
  const sections = rules.map(({ code, severity, why, count, shown }) => {
    const own = findings.filter((one) => one.code === code && one.severity === severity);
    const hints = [...new Set(own.map((one) => one.hint))].filter((hint) => hint !== undefined);
    return [
      `${paint(COLOURS[severity], severity)} ${paint("bold", code)}: ${count}`,
      ...columns(own.map(cells)).map((line) => `  ${line}`),
      ...(count > shown ? [`  and ${count - shown} more (--max)`] : []),
      `  why: ${why}`,
      ...hints.map((hint) => `  hint: ${hint}`),
    ].join("\n");
  });
  return [`${dataset}: ${what}`, ...sections, verdict(report)].join("\n\n");
}

/** Unreadable data has a place in the file; readable data has an episode and a field. */
function cells({ episode, where, field, value, message }: LintFinding): string[] {
  const place = episode ?? where ?? "all episodes";
  return [place, field ?? "", value ?? "", message].map((cell) => cutLong(cell));
}

/** Aligns rows in columns; the last column has any length, and empty columns are left out. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2].map((i) => Math.max(0, ...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .filter((_, i) => widths[i] !== 0)
      .join("  "),
  );
}

function verdict({ counts: { error, warning, info } }: LintReport): string {
  if (error + warning + info === 0) return paint("green", "nothing found");
  return [counted(error, "error"), counted(warning, "warning"), `${info} info`].join(", ");
}

function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

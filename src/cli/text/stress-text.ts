import { interval, number, pText, signed } from "../../runs/report/format.js";
import type {
  StressAxis,
  StressLevel,
  StressReport,
  TellingEpisode,
} from "../../runs/stress/documents.js";
import {
  breakPointText,
  changeText,
  leftOutText,
  rankedAxes,
  valueText,
} from "../../runs/stress/text.js";
import { paint, table } from "../output.js";

/** A stress test for people: every level, the ranking of axes, and the episodes to look at. */
export function stressText(report: StressReport): string {
  const { agent, policy, baseline, axes, ranking, tests, notes } = report;
  const tested = policy === undefined ? agent : `${policy} (${agent})`;
  const blocks = [
    [
      paint("bold", `${report.benchmark} · agent ${tested}`),
      `unperturbed: success ${number(baseline.success)} ${interval(baseline.ci95)} of ${baseline.total - baseline.invalid} episodes`,
      ...notes.map((note) => `${paint("yellow", "note")}: ${note}`),
      ...axes.flatMap(skippedText),
    ],
    axes.length > 0 ? [levelTable(axes), legend(axes, tests)] : [],
    taskTable(axes),
    ranking.length > 0 ? ["most damaging first", rankTable(report)] : [],
    ...rankedAxes(report).map(tellingText),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function skippedText({ axis, skipped_tasks }: StressAxis): string[] {
  return skipped_tasks.map(({ task, reason }) => `${axis} leaves out ${task}: ${reason}`);
}

function levelTable(axes: readonly StressAxis[]): string {
  const rows = axes.flatMap(({ axis, unit, levels }) =>
    levels.map((level) => [
      axis,
      String(level.level),
      valueText(level.value, unit),
      number(level.success),
      signed(level.difference),
      interval(level.ci95),
      pText(level.p_holm),
      verdictText(level),
      String(level.n),
      leftOutText(level),
    ]),
  );
  const numbers = ["success", "difference", "95 % interval", "p (Holm)"];
  return table(["axis", "level", "value", ...numbers, "", "n", "left out"], rows);
}

/** Only for benchmarks with several tasks. */
function taskTable(axes: readonly StressAxis[]): string[] {
  const rows = axes.flatMap(({ axis, levels }) =>
    levels.flatMap(({ level, per_task }) =>
      Object.entries(per_task).map(([task, measure]) => [
        task,
        axis,
        String(level),
        number(measure.success),
        signed(measure.difference),
        interval(measure.ci95),
        String(measure.n),
      ]),
    ),
  );
  if (rows.length === 0) return [];
  const order = [...new Set(rows.map(([task]) => task))];
  rows.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return [table(["task", "axis", "level", "success", "difference", "95 % interval", "n"], rows)];
}

function verdictText({ significant, difference, status }: StressLevel): string {
  if (status !== "done") return paint("yellow", status);
  if (!significant || difference === null) return "";
  return difference < 0 ? paint("red", "worse") : paint("green", "better");
}

function legend(axes: readonly StressAxis[], tests: number): string {
  const parameters = axes.map(({ axis, parameter }) => `  ${axis}: ${parameter}`);
  return [
    `difference: of the same episodes without the perturbation; p is corrected for ${tests} tests`,
    "values:",
    ...parameters,
  ].join("\n");
}

function rankTable({ ranking, axes }: StressReport): string {
  const rows = ranking.map(({ axis, damage, worst_level, worst_difference, p_holm }, i) => {
    const found = axes.find((one) => one.axis === axis);
    return [
      String(i + 1),
      axis,
      number(damage),
      `${signed(worst_difference)} at level ${worst_level}`,
      pText(p_holm),
      found ? breakPointText(found) : "–",
    ];
  });
  const titles = ["", "axis", "mean loss", "worst", "p (Holm)", "half of the success is lost at"];
  return table(titles, rows);
}

function tellingText({ axis, telling_episodes }: StressAxis): string[] {
  if (telling_episodes.length === 0) return [];
  return [`what to look at: ${axis}`, ...telling_episodes.flatMap(episodeText)];
}

function episodeText(episode: TellingEpisode): string[] {
  const { episode_key, baseline, perturbed } = episode;
  const side = ({ run, end_reason, explanation }: TellingEpisode["baseline"]) =>
    `    ${run}: ${end_reason}${explanation === "" ? "" : `: ${explanation.replaceAll("\n", "\n    ")}`}`;
  return [`  ${episode_key} ${changeText(episode)}`, side(baseline), side(perturbed)];
}

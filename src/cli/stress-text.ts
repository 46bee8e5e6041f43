import type {
  BreakPoint,
  StressAxis,
  StressLevel,
  StressReport,
  TellingEpisode,
} from "../runs/stress/documents.js";
import { pText, signed } from "./number-text.js";
import { interval, number, paint, table } from "./output.js";

/** A stress test for people: every level, the ranking of axes, and the episodes to look at. */
export function stressText(report: StressReport): string {
  const { baseline, axes, ranking, tests, notes } = report;
  const blocks = [
    [
      paint("bold", `${report.benchmark} · agent ${report.agent}`),
      `unperturbed: success ${number(baseline.success)} ${interval(baseline.ci95)} of ${baseline.total - baseline.invalid} episodes`,
      ...notes.map((note) => `${paint("yellow", "note")}: ${note}`),
      ...axes.flatMap(skippedText),
    ],
    axes.length > 0 ? [levelTable(axes), legend(axes, tests)] : [],
    ranking.length > 0 ? ["most damaging first", rankTable(report)] : [],
    ...orderOf(report).map(tellingText),
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
      level.difference === null ? "–" : signed(level.difference),
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

function verdictText({ significant, difference, status }: StressLevel): string {
  if (status !== "done") return paint("yellow", status);
  if (!significant || difference === null) return "";
  return difference < 0 ? paint("red", "worse") : paint("green", "better");
}

function leftOutText({ unsolvable, invalid, stopped_early }: StressLevel): string {
  return [
    unsolvable > 0 ? `${unsolvable} unsolvable` : "",
    invalid > 0 ? `${invalid} invalid` : "",
    stopped_early ? `stopped after ${stopped_early.counted} of ${stopped_early.of}` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
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
      found ? breakText(found.break_point, found.unit) : "–",
    ];
  });
  const titles = ["", "axis", "mean loss", "worst", "p (Holm)", "half of the success is lost at"];
  return table(titles, rows);
}

function breakText({ state, value, ci95 }: BreakPoint, unit: string): string {
  if (state === "unknown") return "–";
  const range = ci95 ? ` [${number(ci95[0])}, ${ci95[1] === null ? "∞" : number(ci95[1])}]` : "";
  if (state === "not_reached") return `none of these levels${ci95 ? range : ""}`;
  return `${valueText(value ?? 0, unit)}${range}`;
}

function valueText(value: number, unit: string): string {
  const text = Number.isInteger(value) ? String(value) : Number(value.toPrecision(3)).toString();
  return unit === "" ? text : `${text} ${unit}`;
}

/** The axes in the order of the ranking. */
function orderOf({ ranking, axes }: StressReport): StressAxis[] {
  return ranking.flatMap(({ axis }) => axes.find((one) => one.axis === axis) ?? []);
}

function tellingText({ axis, telling_episodes }: StressAxis): string[] {
  if (telling_episodes.length === 0) return [];
  return [`what to look at: ${axis}`, ...telling_episodes.flatMap(episodeText)];
}

function episodeText(episode: TellingEpisode): string[] {
  const { episode_key, to, level, stays, baseline, perturbed } = episode;
  const verb = to === "failure" ? "fails" : "succeeds";
  const until = stays ? `from level ${level} on` : `at level ${level}`;
  const side = ({ run, end_reason, explanation }: TellingEpisode["baseline"]) =>
    `    ${run}: ${end_reason}${explanation === "" ? "" : `: ${explanation.replaceAll("\n", "\n    ")}`}`;
  return [`  ${episode_key} ${verb} ${until}`, side(baseline), side(perturbed)];
}

import type {
  ChangedEnd,
  ChangedKey,
  EpisodeSide,
  FlippedEpisode,
  MetricComparison,
  RunComparison,
  RunRef,
  UnjudgedEpisode,
} from "../../runs/compare/documents.js";
import { interval, number, pText, signed } from "../../runs/report/format.js";
import { paint, table } from "../output.js";

const SHOWN_UNJUDGED = 5;
const SHOWN_ENDS = 10;
const LONGEST_VALUE = 60;

/** A comparison for people: metrics, conclusions, other differences, and the episodes to look at. */
export function comparisonText(comparison: RunComparison): string {
  const { a, b, metrics, flipped, flipped_episodes, notes, changed, changed_ends } = comparison;
  const { tests, unjudged_tasks } = comparison;
  const blocks = [
    [
      paint("bold", `A ${runText(a)}`),
      paint("bold", `B ${runText(b)}`),
      countsText(comparison),
      ...notes.map((note) => `${paint("yellow", "note")}: ${note}`),
    ],
    metrics.length > 0 ? [metricTable(metrics), legend(tests)] : [],
    [
      ...metrics.filter((row) => row.primary).map((row) => primaryText(row, tests)),
      ...unjudged_tasks.map((task) => `${task}: no episode was judged in both runs`),
    ],
    changedText(changed),
    endsText(changed_ends),
    flipText("failure in A, success in B", "success", flipped.to_success.length, flipped_episodes),
    flipText("success in A, failure in B", "failure", flipped.to_failure.length, flipped_episodes),
    unjudgedText(comparison.episodes.invalid, comparison.invalid_episodes),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

/** `20260101T120000Z-vln-ws "baseline" (openvla 7b, checkpoint step-2000; ws://localhost:8000; gpu=a100)` */
function runText({ run_id, name, policy, agent, tags = {} }: RunRef): string {
  const named = name === undefined ? run_id : `${run_id} "${name}"`;
  const facts = [policy, agent, ...Object.entries(tags).map((tag) => tag.join("="))];
  return `${named} (${facts.filter((fact) => fact !== undefined).join("; ")})`;
}

function countsText({ episodes }: RunComparison): string {
  const { shared, only_a, only_b, invalid } = episodes;
  const apart = [
    only_a > 0 ? `${only_a} only in A` : "",
    only_b > 0 ? `${only_b} only in B` : "",
    invalid > 0 ? `${invalid} invalid in one` : "",
  ].filter((part) => part !== "");
  return `${shared} shared episode${shared === 1 ? "" : "s"}${apart.length > 0 ? ` (not compared: ${apart.join(", ")})` : ""}`;
}

function metricTable(metrics: readonly MetricComparison[]): string {
  const rows = metrics.map((row) => [
    row.task,
    row.metric,
    number(row.mean_a),
    number(row.mean_b),
    signed(row.difference),
    interval(row.ci95),
    pText(row.p),
    row.primary ? pText(row.p_holm) : "",
    verdictText(row),
    String(row.n),
  ]);
  const numbers = ["A", "B", "B - A", "95 % interval", "p", "p (Holm)"];
  return table(["task", "metric", ...numbers, "", "n"], rows);
}

function verdictText(row: MetricComparison): string {
  if (row.verdict === "unclear") return "";
  const styles = { better: "green", worse: "red", differs: "yellow" } as const;
  return paint(styles[row.verdict], row.primary ? row.verdict : `(${row.verdict})`);
}

function legend(tests: number): string {
  const what = tests === 1 ? "1 test, of the primary metric" : `${tests} tests, of primary metrics`;
  return `p (Holm) is corrected for ${what}; other metrics, in parentheses, are not corrected`;
}

function primaryText(row: MetricComparison, tests: number): string {
  const what = `${row.task}: ${row.metric}`;
  if (row.significant) {
    const how = row.verdict === "differs" ? "differs" : `is ${row.verdict} in B`;
    return paint("bold", `${what} ${how}, by ${signed(row.difference)} ${interval(row.ci95)}`);
  }
  return `${what} is ${tellApartText(row, tests)}`;
}

/** What a larger sample would need to show a difference. */
function tellApartText({ n, p, ci95, tell_apart }: MetricComparison, tests: number): string {
  if (p === null) return "not tested: one episode is too few";
  if (!tell_apart) return "the same in every episode";
  const { more, detectable } = tell_apart;
  const corrected = ci95 !== null && p < 0.05 ? ` after the correction for ${tests} tests` : "";
  const shown =
    detectable === null
      ? `${n} episodes are too few to show any difference reliably`
      : `these ${n} episodes would show a difference of ${number(detectable)}`;
  const seen = `not shown to differ${corrected}: ${shown}`;
  if (more === null) return `${seen}, and the means are the same`;
  const episodes = more === 1 ? "1 more episode" : `${rounded(more)} more episodes`;
  return `${seen}; about ${episodes} like these would tell them apart, if the difference is real (80 % power)`;
}

/** Rounds to two significant digits; the estimate is no better. */
function rounded(value: number): number {
  return Number(value.toPrecision(2));
}

function changedText(changed: readonly ChangedKey[]): string[] {
  if (changed.length === 0) return [];
  const rows = changed.map(({ key, a, b }) => [key, valueText(a), valueText(b)]);
  return [table(["changed", "A", "B"], rows)];
}

function valueText(value: unknown): string {
  if (value === undefined) return "–";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}...` : text;
}

function endsText(ends: readonly ChangedEnd[]): string[] {
  if (ends.length === 0) return [];
  const rows = ends
    .slice(0, SHOWN_ENDS)
    .map(({ task, a, b, count }) => [task, a, b, String(count)]);
  return [
    table(["ended otherwise", "A", "B", "times"], rows),
    ...moreText(ends.length - rows.length),
  ];
}

function flipText(
  title: string,
  to: FlippedEpisode["to"],
  count: number,
  explained: readonly FlippedEpisode[],
): string[] {
  const shown = explained.filter((episode) => episode.to === to);
  return [
    `${title}: ${count}`,
    ...shown.flatMap(({ episode_key, a, b }) => [
      `  ${episode_key}`,
      indented(`A ${sideText(a)}`),
      indented(`B ${sideText(b)}`),
    ]),
    ...(shown.length > 0 ? moreText(count - shown.length, "--flips, --json") : []),
  ];
}

function sideText({ end_reason, explanation, succeeded, judged }: EpisodeSide): string {
  const share = judged === undefined ? "" : `${succeeded} of ${judged}, `;
  return `${share}${end_reason}${explanation === "" ? "" : `: ${explanation}`}`;
}

function unjudgedText(count: number, episodes: readonly UnjudgedEpisode[]): string[] {
  if (count === 0) return [];
  const shown = episodes.slice(0, SHOWN_UNJUDGED);
  return [
    `invalid in one of the runs, and not compared: ${count}`,
    ...shown.flatMap(({ episode_key, a, b }) => [
      `  ${episode_key}`,
      ...(a ? [indented(`A ${a.explanation}`)] : []),
      ...(b ? [indented(`B ${b.explanation}`)] : []),
    ]),
    ...moreText(count - shown.length),
  ];
}

/** Indents an explanation, whose hint is on a second line. */
function indented(text: string): string {
  return `    ${text.replaceAll("\n", "\n    ")}`;
}

function moreText(more: number, where = "--json"): string[] {
  return more > 0 ? [`  and ${more} more (${where})`] : [];
}

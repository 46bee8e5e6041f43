import { agentText } from "../../core/policy-identity.js";
import { lineName } from "../directory/line-name.js";
import { breakPointText } from "../stress/text.js";
import { interval, number, plural, pText, signed, utc } from "./format.js";
import { type Headline, pooledHeadlines, taskHeadlines } from "./headline.js";
import { md, table } from "./markdown.js";
import { notices } from "./notices.js";
import type { RunReport } from "./read.js";

/** Keeps the summary about one page long, far below GitHub's limit of 1 MiB. */
const LISTED_FAILURES = 20;
const LISTED_FAULTS = 10;

/** The report as Markdown for the summary of a GitHub job. */
export async function githubSummary(report: RunReport, missed: readonly string[]): Promise<string> {
  const { summary, info, faults } = report;
  const { total, success, failure, invalid } = summary.episodes;
  const { partial } = summary;
  const episodes = partial ? `${total} of ${partial.of} episodes` : plural(total, "episode");
  const blocks = [
    `## ${md(summary.benchmark)}`,
    `${summary.name === undefined ? "" : `**${md(summary.name)}** · `}Agent ${md(agentText(summary))} · ${utc(info.started_at)} · seed ${summary.seed} · ${episodes}: ${success} success, ${failure} failure, ${invalid} invalid`,
    ...notices(report, missed).map(({ level, text }) => {
      return `> [!${level === "warning" ? "WARNING" : "NOTE"}]\n> ${md(text)}`;
    }),
    table(
      ["task", "metric", "mean", "95 % interval", "n", "invalid"],
      [...taskHeadlines(summary), ...pooledHeadlines(summary)].map(headlineRow),
    ),
    stressTable(report),
    allMetrics(report),
    failureList(report),
  ];
  if (faults.length > 0) {
    const shown = faults.slice(0, LISTED_FAULTS).map(({ fault, code, message, outcomes }) => {
      const count = outcomes.failure + outcomes.invalid + outcomes.success;
      return `- ${plural(count, "episode")}: ${fault} fault, ${md(code)}: ${md(message)}`;
    });
    blocks.push(`### Faults\n\n${shown.join("\n")}`);
  }
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n\n`;
}

function stressTable({ stress }: RunReport): string {
  if (!stress) return "";
  const rows = stress.ranking.map(({ axis, damage, worst_level, worst_difference, p_holm }) => {
    const found = stress.axes.find((one) => one.axis === axis);
    return [
      md(axis),
      number(damage),
      `${signed(worst_difference)} at level ${worst_level}`,
      pText(p_holm),
      md(found ? breakPointText(found) : ""),
    ];
  });
  const titles = ["axis", "mean loss", "worst", "p (Holm)", "half of the success is lost at"];
  return `### Robustness\n\n${table(titles, rows)}`;
}

function headlineRow({ tasks, metric, summary }: Headline): string[] {
  return [
    md(tasks),
    md(metric),
    `**${number(summary.mean)}**`,
    interval(summary.ci95),
    String(summary.count),
    String(summary.n_invalid),
  ];
}

function allMetrics({ summary }: RunReport): string {
  const rows = Object.entries(summary.per_task).flatMap(([task, metrics]) =>
    Object.entries(metrics).map(([name, metric]) => [
      md(task),
      md(name),
      number(metric.mean),
      interval(metric.ci95),
      metric.unit === "1" ? "" : md(metric.unit),
      String(metric.count),
    ]),
  );
  return fold("All metrics", table(["task", "metric", "mean", "95 % interval", "unit", "n"], rows));
}

function failureList({ tasks, worst, summary }: RunReport): string {
  const { failure } = summary.episodes;
  if (failure === 0) return "";
  // The worst episodes of every task come first, so that a short list includes every task.
  const all = [
    ...worst.filter(({ outcome }) => outcome === "failure"),
    ...tasks.flatMap(({ failures }) => failures),
  ];
  const once = new Map(all.map((line) => [lineName(line.episode_key, line.repeat), line]));
  const lines = [...once.values()].slice(0, LISTED_FAILURES);
  const rows = lines.map((line) => [
    md(lineName(line.episode_key, line.repeat)),
    md(line.explanation),
    md(line.end_reason),
  ]);
  const which = lines.length < failure ? `the worst ${lines.length} of ${failure}` : `${failure}`;
  return fold(`Failures: ${which}`, table(["episode", "why", "end"], rows));
}

function fold(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

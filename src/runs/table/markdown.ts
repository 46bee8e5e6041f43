import { interval, number } from "../report/format.js";
import { md, table } from "../report/markdown.js";
import type { MetricColumn, ResultsTable, TableValue } from "./document.js";

const ARROWS = { higher: " ↑", lower: " ↓", none: "" } as const;

/** The table in GitHub's Markdown, with its footnotes below. */
export function markdownTable({ tasks, rows, footnotes, notes }: ResultsTable): string {
  const header = tasks.flatMap(({ task, metrics }) => [
    ...metrics.map((column) => `${md(task)}: ${title(column)}`),
    `${md(task)}: n (invalid)`,
  ]);
  const body = rows.map(({ policy, marks, tasks: groups }) => [
    `${md(policy)}${superscript(marks)}`,
    ...groups.flatMap(({ n, invalid, values }) => [
      ...values.map((value) => cell(value, n)),
      n === null ? "–" : `${n} (${invalid})`,
    ]),
  ]);
  const below = [
    ...footnotes.map(({ mark, text }) => `${superscript([mark])} ${md(text)}`),
    ...notes.map(md),
  ];
  return `${table(["policy", ...header], body)}\n\n${below.join("  \n")}\n`;
}

function title({ metric, unit, direction }: MetricColumn): string {
  return `${md(metric)}${unit === "1" || unit === "" ? "" : ` (${md(unit)})`}${ARROWS[direction]}`;
}

function superscript(marks: readonly string[]): string {
  return marks.length === 0 ? "" : `<sup>${marks.join(",")}</sup>`;
}

function cell(value: TableValue | null, n: number | null): string {
  if (value === null || value.mean === null) return "–";
  const mean = value.best ? `**${number(value.mean)}**` : number(value.mean);
  const bounds = value.ci95 ? ` ${interval(value.ci95)}` : "";
  return `${mean}${bounds}${value.n === n ? "" : ` (n = ${value.n})`}`;
}

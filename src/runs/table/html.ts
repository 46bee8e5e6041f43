import { interval, number } from "../report/format.js";
import { type Html, html } from "../report/html.js";
import type { MetricColumn, ResultsTable, TableValue } from "./document.js";

const ARROWS = { higher: " ↑", lower: " ↓", none: "" } as const;

/** The table as an HTML fragment for a page. It is plain ASCII, so the page may have any encoding. */
export function htmlTable({ benchmark, tasks, rows, footnotes, notes }: ResultsTable): string {
  const width = 1 + tasks.reduce((sum, { metrics }) => sum + metrics.length + 1, 0);
  const page = html`<table>
<caption>${benchmark}</caption>
<thead>
<tr><th rowspan="2" scope="col">policy</th>${tasks.map(({ task, metrics }) => html`<th colspan="${metrics.length + 1}" scope="colgroup">${task}</th>`)}</tr>
<tr>${tasks.map(({ metrics }) => [metrics.map((column) => html`<th scope="col">${title(column)}</th>`), html`<th scope="col">n (invalid)</th>`])}</tr>
</thead>
<tbody>
${rows.map(
  ({
    policy,
    marks,
    tasks: groups,
  }) => html`<tr><th scope="row">${policy}${superscript(marks)}</th>${groups.map(
    ({ n, invalid, values }) => [
      values.map((value) => html`<td>${cell(value, n)}</td>`),
      html`<td>${n === null ? "–" : `${n} (${invalid})`}</td>`,
    ],
  )}</tr>
`,
)}</tbody>
<tfoot>
<tr><td colspan="${width}">
${footnotes.map(({ mark, text }) => html`<p>${superscript([mark])} ${text}</p>\n`)}${notes.map((text) => html`<p>${text}</p>\n`)}</td></tr>
</tfoot>
</table>
`;
  return ascii(page.text);
}

function title({ metric, unit, direction }: MetricColumn): string {
  return `${metric}${unit === "1" || unit === "" ? "" : ` (${unit})`}${ARROWS[direction]}`;
}

function superscript(marks: readonly string[]): Html | false {
  return marks.length > 0 && html`<sup>${marks.join(",")}</sup>`;
}

function cell(value: TableValue | null, n: number | null): Html {
  if (value === null || value.mean === null) return html`–`;
  const mean = value.best ? html`<b>${number(value.mean)}</b>` : number(value.mean);
  const bounds = value.ci95 && ` ${interval(value.ci95)}`;
  return html`${mean}${bounds}${value.n !== n && ` (n = ${value.n})`}`;
}

function ascii(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is everything but ASCII
  return text.replace(/[^\x00-\x7f]/gu, (char) => `&#${char.codePointAt(0)};`);
}

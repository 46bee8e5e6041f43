import { number } from "../report/format.js";
import type { MetricColumn, ResultsTable, TableValue } from "./document.js";
import { tex } from "./tex.js";

const ARROWS = { higher: " $\\uparrow$", lower: " $\\downarrow$", none: "" } as const;

/** A column of longer policy names has a fixed width, so that the table stays on the page. */
const LONGEST_NAME = 32;

/** Typesets its first argument, or the second one with pdfLaTeX: see `tex`. */
const UNICODE_TEXT =
  "\\providecommand{\\unicodetext}[2]{\\ifdefined\\Umathchardef #1\\else #2\\fi}\n";

/**
 * The table as a LaTeX float. It needs no package, and compiles with pdfLaTeX and LuaLaTeX.
 */
export function latexTable({ benchmark, tasks, rows, footnotes, notes }: ResultsTable): string {
  const spans = tasks.map(({ metrics }) => metrics.length + 1);
  const groups = tasks.map(({ task }, i) => `\\multicolumn{${spans[i]}}{c}{${tex(task)}}`);
  const titles = tasks.flatMap(({ metrics }) => [...metrics.map(title), "$n$ (invalid)"]);
  const isWide = rows.some(({ policy }) => policy.length > LONGEST_NAME);
  const body = rows.map(({ policy, marks, tasks: cells }) => [
    `${isWide ? breakable(policy) : tex(policy)}${superscript(marks)}`,
    ...cells.flatMap(({ n, invalid, values }) => [
      ...values.map((value) => cell(value, n)),
      n === null ? "--" : `${n} (${invalid})`,
    ]),
  ]);
  const line = (cellsOf: readonly string[]) => `${cellsOf.join(" & ")} \\\\`;
  const below = [
    ...footnotes.map(({ mark, text }) => `${superscript([mark])} ${tex(text)}`),
    ...notes.map(tex),
  ];
  const text = `\\centering
\\caption{${tex(benchmark)}}
\\begin{tabular}{${isWide ? "p{0.3\\linewidth}" : "l"}${spans.map((span) => "c".repeat(span)).join("")}}
\\hline
${line(["", ...groups])}
${line(["Policy", ...titles])}
\\hline
${body.map(line).join("\n")}
\\hline
\\end{tabular}

\\smallskip
\\begin{minipage}{\\linewidth}
\\footnotesize
${below.join("\\par\n")}
\\end{minipage}
`;
  const command = text.includes("\\unicodetext") ? UNICODE_TEXT : "";
  return `\\begin{table}[t]\n${command}${text}\\end{table}\n`;
}

/** A name that may be broken after punctuation, for a column of fixed width. */
function breakable(name: string): string {
  const parts = name.split(/(?<=[/,:=_|.])/);
  return `\\raggedright ${parts.map(tex).join("\\allowbreak{}")}`;
}

function title({ metric, unit, direction }: MetricColumn): string {
  return `${tex(metric)}${unit === "1" || unit === "" ? "" : ` (${tex(unit)})`}${ARROWS[direction]}`;
}

function superscript(marks: readonly string[]): string {
  return marks.length === 0 ? "" : `\\textsuperscript{${marks.join(",")}}`;
}

function cell(value: TableValue | null, n: number | null): string {
  if (value === null || value.mean === null) return "--";
  const mean = value.best ? `\\textbf{${plain(value.mean)}}` : plain(value.mean);
  const bounds = value.ci95 ? ` {\\scriptsize {[}${value.ci95.map(plain).join(", ")}{]}}` : "";
  return `${mean}${bounds}${value.n === n ? "" : ` {\\scriptsize ($n = ${value.n}$)}`}`;
}

/** A number with a minus sign where it is negative. */
function plain(value: number): string {
  return value < 0 ? `$-$${number(-value)}` : number(value);
}

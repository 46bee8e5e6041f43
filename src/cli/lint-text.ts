import type { LintReport } from "../dataset/lint/report.js";
import type { LintFinding, Severity } from "../dataset/lint/types.js";
import { paint } from "./output.js";

const COLOURS: Readonly<Record<Severity, "red" | "yellow" | "cyan">> = {
  error: "red",
  warning: "yellow",
  info: "cyan",
};

/** A report for people: the subject, then the findings rule by rule, the worst first. */
export function lintText(report: LintReport): string {
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
  return [place, field ?? "", value ?? "", message];
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

import { rowText } from "../export/csv.js";
import type { ResultsTable, TaskCells, TaskColumns } from "./document.js";

/** The table as CSV (RFC 4180): unrounded numbers, one row for each policy. */
export function csvTable({ tasks, rows, footnotes }: ResultsTable): string {
  const header = tasks.flatMap(({ task, metrics }) => [
    ...metrics.flatMap(({ metric }) =>
      ["mean", "low", "high", "n", "best"].map((part) => `${task} ${metric} ${part}`),
    ),
    `${task} invalid`,
    `${task} profile`,
  ]);
  const lines = rows.map(({ policy, run_id, marks, tasks: groups }) => {
    const notes = footnotes.filter(({ mark }) => marks.includes(mark)).map(({ text }) => text);
    return [
      safe(policy),
      safe(run_id),
      ...tasks.flatMap((columns, i) => group(columns, groups[i])),
      notes.length > 0 ? safe(notes.join(" ")) : null,
    ];
  });
  return [["policy", "run_id", ...header.map(safe), "notes"], ...lines].map(rowText).join("");
}

function group({ metrics, profile }: TaskColumns, cells: TaskCells | undefined) {
  return [
    ...metrics.flatMap((_, i) => {
      const value = cells?.values[i];
      if (!value) return [null, null, null, null, null];
      const [low, high] = value.ci95 ?? [null, null];
      return [value.mean, low, high, value.n, value.best ? 1 : 0];
    }),
    cells?.invalid ?? null,
    profile === null ? null : safe(profile),
  ];
}

/**
 * Spreadsheets compute a cell that starts with one of these characters, which may open addresses or run programs. An
 * apostrophe before it makes it text (OWASP, CSV injection).
 */
function safe(text: string): string {
  return /^\s*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

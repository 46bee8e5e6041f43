import { csvTable } from "./csv.js";
import type { ResultsTable } from "./document.js";
import { htmlTable } from "./html.js";
import { latexTable } from "./latex.js";
import { markdownTable } from "./markdown.js";

export const TABLE_FORMATS = ["markdown", "latex", "csv", "html"] as const;

export type TableFormat = (typeof TABLE_FORMATS)[number];

const WRITERS: Readonly<Record<TableFormat, (table: ResultsTable) => string>> = {
  markdown: markdownTable,
  latex: latexTable,
  csv: csvTable,
  html: htmlTable,
};

export function tableText(table: ResultsTable, to: TableFormat): string {
  return WRITERS[to](table);
}

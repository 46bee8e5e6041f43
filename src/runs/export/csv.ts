import type { TableCell } from "../../dataset/readers/parquet-table.js";
import { createSynced } from "../../dataset/write-file.js";
import type { ExportFormat } from "./format.js";
import { episodeTable } from "./rows.js";

/** Characters per write. */
const PAGE = 64 * 1024;

/**
 * RFC 4180: a header, commas, rows that end with CRLF, quotes only where required. UTF-8 without a byte order
 * mark. A missing value is an empty cell; an empty string is quoted.
 */
export const csvFormat: ExportFormat = {
  name: "csv",
  description: "one row per episode, metrics as columns (RFC 4180)",
  kind: () => "file",
  takes: ["only"],

  async write(source, to) {
    const table = await episodeTable(source);
    return createSynced(to, async (file) => {
      let page = rowText(table.columns.map(({ name }) => name));
      let episodes = 0;
      for await (const row of table.rows()) {
        page += rowText(row);
        episodes++;
        if (page.length < PAGE) continue;
        await file.writeFile(page);
        page = "";
      }
      await file.writeFile(page);
      return { episodes };
    });
  },
};

/** A row of RFC 4180, with its line end. */
export function rowText(cells: readonly TableCell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

function cellText(cell: TableCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  return cell === "" || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

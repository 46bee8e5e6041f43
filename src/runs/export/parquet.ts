import { ParquetTable } from "../../dataset/readers/parquet-table.js";
import type { ExportFormat } from "./format.js";
import { episodeTable } from "./rows.js";

/** The columns of `csv` with types: text, 64-bit integers and doubles, all nullable. */
export const parquetFormat: ExportFormat = {
  name: "parquet",
  description: "the same table with typed columns, for pandas, DuckDB, Polars",
  kind: () => "file",
  takes: ["only"],

  async write(source, to) {
    const rows = await episodeTable(source);
    const table = await ParquetTable.create(to, rows.columns);
    try {
      let episodes = 0;
      for await (const row of rows.rows()) {
        await table.add(row);
        episodes++;
      }
      await table.finish();
      return { episodes };
    } finally {
      await table.close();
    }
  },
};

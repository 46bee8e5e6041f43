import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TemporaryFiles } from "../../../test/support/dataset-files.js";
import { withParquet } from "./parquet.js";
import { ParquetTable } from "./parquet-table.js";

const files = new TemporaryFiles();

describe("ParquetTable", () => {
  it("ParquetTable writes rows over several groups that read back unchanged, including missing cells and -0", async () => {
    const path = join(files.fresh(), "rows.parquet");
    const table = await ParquetTable.create(path, [
      { name: "id", type: "int64" },
      { name: "word", type: "string" },
      { name: "x", type: "float64" },
    ]);
    const row = (i: number) => [
      i === 5 ? null : i,
      i % 3 === 0 ? null : `w${i % 7}`,
      i === 0 ? -0 : i % 2 === 0 ? null : i / 8,
    ];
    const count = 20_001;
    for (let i = 0; i < count; i++) await table.add(row(i));
    await table.finish();
    await table.close();
    await withParquet(path, async (file) => {
      expect(file.rows).toBe(count);
      const columns = await Promise.all(["id", "word", "x"].map((name) => file.column(name)));
      for (const [k, column] of columns.entries()) {
        expect(column).toEqual(Array.from({ length: count }, (_, i) => row(i)[k]));
      }
    });
  });

  it("ParquetTable writes a table without rows", async () => {
    const path = join(files.fresh(), "none.parquet");
    const table = await ParquetTable.create(path, [{ name: "id", type: "int64" }]);
    await table.finish();
    await table.close();
    await withParquet(path, async (file) => {
      expect([file.rows, file.columns]).toEqual([0, ["id"]]);
    });
  });
});

import { describe, expect, it } from "vitest";
import { type ParquetCell, withParquet } from "../../dataset/readers/parquet.js";
import { exported, makeRun } from "./run.fixture.js";

function columns(
  path: string,
  ...names: readonly string[]
): Promise<Record<string, readonly ParquetCell[]>> {
  return withParquet(path, async (file) => {
    const all = await Promise.all(names.map((name) => file.column(name)));
    return Object.fromEntries(names.map((name, i) => [name, all[i] ?? []]));
  });
}

describe("the Parquet export", () => {
  it("the Parquet export writes the columns of the CSV export with types, and null for missing values", async () => {
    const run = await makeRun([
      { line: { metrics: { spl: -0, success: 1 }, seed: 829948228480808 } },
      { line: { metrics: { spl: null, success: 0 }, fault: "agent", repeat: 1, explanation: "" } },
    ]);
    const { out, episodes } = await exported(run, { to: "parquet" });
    expect(episodes).toBe(2);
    expect(await columns(out, "seed", "fault", "spl", "repeat", "explanation")).toEqual({
      seed: [829948228480808, 0],
      fault: [null, "agent"],
      spl: [0, null],
      repeat: [0, 1],
      explanation: ["", ""],
    });
  });
});

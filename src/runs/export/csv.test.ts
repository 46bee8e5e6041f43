import { readFileSync } from "node:fs";
import { array, assert, asyncProperty, constantFrom, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsv } from "../../dataset/results/csv.js";
import { exported, makeRun } from "./run.fixture.js";

async function table(path: string): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const { cells } of readCsv(path)) rows.push(cells.map(({ text }) => text));
  return rows;
}

/** Rows as records keyed by column name. */
async function rowsOf(path: string): Promise<Record<string, string | undefined>[]> {
  const [header = [], ...rows] = await table(path);
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]])));
}

describe("the CSV export", () => {
  it("the CSV export writes one row per result line, including repeats, with the metrics of all tasks sorted by name", async () => {
    const run = await makeRun([
      { line: { metrics: { success: 1, spl: 0.25 }, seed: 829948228480808 } },
      { line: { metrics: { success: 0, spl: null }, repeat: 1 } },
      { line: { task: "pick_place", metrics: { manip_success: 0, completion_rate: 0.5 } } },
    ]);
    const { out, episodes, notes } = await exported(run, { to: "csv" });
    expect({ episodes, notes }).toEqual({ episodes: 3, notes: [] });
    const [header = []] = await table(out);
    expect(header.slice(0, 3)).toEqual(["run_id", "episode_key", "episode_id"]);
    expect(header.slice(-4)).toEqual(["completion_rate", "manip_success", "spl", "success"]);
    expect(await rowsOf(out)).toMatchObject([
      { run_id: "a-run", repeat: "0", spl: "0.25", manip_success: "", seed: "829948228480808" },
      { repeat: "1", spl: "", success: "0", fault: "", agent_latency_p50_ms: "" },
      { task: "pick_place", spl: "", completion_rate: "0.5" },
    ]);
  });

  it("the CSV export ends rows with CRLF as RFC 4180 requires", async () => {
    const { out } = await exported(await makeRun([{}, {}]), {});
    const text = readFileSync(out, "utf8");
    expect(text.match(/\r\n/g)).toHaveLength(3);
    expect(text.endsWith("\r\n")).toBe(true);
  });

  it("the CSV export round-trips any text", async () => {
    const words = array(constantFrom('"', ",", "\r", "\n", " ", "é", "a"), { maxLength: 6 });
    await assert(
      asyncProperty(words, string(), async (parts, id) => {
        const explanation = parts.join("");
        const run = await makeRun([
          { line: { explanation, end_reason: id, episode_id: `1${id}` } },
        ]);
        const { out } = await exported(run, {});
        expect(await rowsOf(out)).toMatchObject([{ explanation, end_reason: id }]);
      }),
      { numRuns: 40 },
    );
  });

  it("the CSV export renames a metric column whose name equals that of a field", async () => {
    const run = await makeRun([{ line: { metrics: { steps: 0.5, metric_steps: 2 }, steps: 7 } }]);
    const { out } = await exported(run, {});
    const [row] = await rowsOf(out);
    expect(row).toMatchObject({ steps: "7", metric_steps: "2", metric_metric_steps: "0.5" });
  });

  it("the CSV export includes only the selected outcomes", async () => {
    const run = await makeRun([
      { line: { episode_id: "1", outcome: "success" } },
      { line: { episode_id: "2", outcome: "failure" } },
      { line: { episode_id: "3", outcome: "invalid", fault: "data" } },
    ]);
    const ids = async (only: "success" | "failure" | "all") => {
      const { out } = await exported(run, { only });
      return (await rowsOf(out)).map(({ episode_id }) => episode_id);
    };
    expect(await ids("success")).toEqual(["1"]);
    expect(await ids("failure")).toEqual(["2"]);
    expect(await ids("all")).toEqual(["1", "2", "3"]);
  });
});

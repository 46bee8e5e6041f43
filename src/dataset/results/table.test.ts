import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ConfigError, DataError } from "../../core/errors.js";
import { readSample } from "../source.js";
import { parseColumns } from "./columns.js";
import type { ImportedEpisode, ResultsOptions } from "./format.js";
import { table } from "./table.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-table-"));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, "results.txt");

async function read(text: string, options: ResultsOptions = {}): Promise<ImportedEpisode[]> {
  writeFileSync(path, text);
  const episodes: ImportedEpisode[] = [];
  for await (const episode of table.read(path, options)) episodes.push(episode);
  return episodes;
}

async function failure(text: string, options: ResultsOptions = {}): Promise<DataError> {
  const error = await read(text, options).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(DataError);
  return error as DataError;
}

describe("a table", () => {
  it("is read the same from CSV, JSON lines and a JSON list", async () => {
    const rows = [
      { episode_id: "1", success: true, scene_id: "hall", spl: 0.5, steps: 12 },
      { episode_id: "2", success: false, scene_id: "yard", spl: 0, steps: 30 },
    ];
    const csv =
      "\uFEFFepisode_id,success,scene_id,spl,steps\r\n1,yes,hall,0.5,12\r\n2,no,yard,0,30\r\n";
    const plain = (episodes: ImportedEpisode[]) => episodes.map(({ where, ...rest }) => rest);
    const fromCsv = plain(await read(csv));
    expect(fromCsv).toMatchObject([
      { episodeId: "1", sceneId: "hall", outcome: "success", metrics: { success: 1, spl: 0.5 } },
      { episodeId: "2", sceneId: "yard", outcome: "failure", steps: 30 },
    ]);
    expect(plain(await read(rows.map((row) => JSON.stringify(row)).join("\n")))).toEqual(fromCsv);
    expect(plain(await read(JSON.stringify(rows, null, 2)))).toEqual(fromCsv);
  });

  it.each(["true", "TRUE", "1", "1.0", "yes"])("takes %s for a success", async (word) => {
    expect((await read(`episode_id,success\n1,${word}`))[0]?.outcome).toBe("success");
  });

  it.each(["false", "False", "0", "0.0", "no"])("takes %s for a failure", async (word) => {
    expect((await read(`episode_id,success\n1,${word}`))[0]?.outcome).toBe("failure");
  });

  it("has no value in an empty cell, nor in nan and inf", async () => {
    const [first, ...others] = await read(
      "episode_id,success,spl\n1,1,\n2,1,nan\n3,0,-inf\n4,1,0.5",
    );
    expect(first?.metrics.spl).toBeNull();
    expect(others.map(({ metrics }) => metrics.spl)).toEqual([null, null, 0.5]);
  });

  it("makes an episode invalid whose success is empty, or that has an error", async () => {
    const episodes = await read("episode_id,success,error\n1,,\n2,0,out of memory\n3,1,");
    expect(episodes).toMatchObject([
      { outcome: "invalid", fault: "data", error: { code: "no_result" } },
      { outcome: "invalid", fault: "platform", error: { message: "out of memory" } },
      { outcome: "success" },
    ]);
  });

  it("keeps columns of numbers as metrics and passes over columns of text", async () => {
    const [episode] = await read("episode_id,success,reward,comment\n1,1,3.5,nice");
    expect(episode?.metrics).toEqual({ success: 1, reward: 3.5 });
  });

  it("takes only the columns that are named, where columns are named", async () => {
    const columns = parseColumns(["episode_id=id", "success=ok", "scene_id=scene", "spl=SPL"]);
    const [episode] = await read("id,ok,scene,SPL,reward\n7,1,hall,0.5,9", { columns });
    expect(episode).toMatchObject({ episodeId: "7", sceneId: "hall" });
    expect(episode?.metrics).toEqual({ success: 1, spl: 0.5 });
  });

  it("knows success by its usual names", async () => {
    const [episode] = await read("episode_id,is_success\n1,1");
    expect(episode?.metrics).toEqual({ success: 1 });
  });

  it("has several tasks where it has a column of them", async () => {
    const episodes = await read("episode_id,success,task\n1,1,pick\n1,0,place");
    expect(episodes.map(({ task }) => task)).toEqual(["pick", "place"]);
    await expect(read("episode_id,success,task\n1,1,pick", { task: "mine" })).rejects.toMatchObject(
      { code: "task_named" },
    );
  });

  it("is about navigation when its metrics are", async () => {
    expect((await read("episode_id,success,spl\n1,1,1"))[0]?.task).toBe("vln");
    expect((await read("episode_id,success,reward\n1,1,1"))[0]?.task).toBe("manipulation");
  });
});

describe("what is wrong with a table is told with its place", () => {
  it.each([
    ["a missing cell", "episode_id,success,spl\n1,1", ":2:3", "2 cells, the header 3"],
    ["text among numbers", "episode_id,success,spl\n1,1,0.5\n2,1,O.7", ":3:5", 'got "O.7"'],
    ["no id", "episode_id,success\n,1", ":2:1", "episode_id"],
    [
      "a success that is none",
      "episode_id,success\n4,maybe",
      ":2:3",
      "episode 4, success: expected",
    ],
    ["a mean for a success", "episode_id,success\n4,0.85", ":2:3", "got 0.85"],
    ["half a step", "episode_id,success,steps\n4,1,2.5", ":2:5", "steps: expected a whole number"],
    ["a header with a name twice", "episode_id,success,success\n", ":1", "twice"],
    ["a header with no name", "episode_id,success,\n", ":1", "without a name"],
    ["other separators", "episode_id;success\n1;1", ":1", "one column"],
    [
      "JSON cut in two",
      '{"episode_id": 1, "success": true}\n{"episode_id": 2, "succ',
      ":2:",
      "JSON",
    ],
    [
      "a JSON row without success",
      '{"episode_id": 1, "success": 1}\n{"episode_id": 2}',
      ":2",
      '"success"',
    ],
    ["a list in JSON", '[{"episode_id": 1, "success": [1]}]', ", [0]", "got [1]"],
  ])("%s", async (_, text, place, words) => {
    const error = await failure(text);
    expect(error.where).toContain(`${path}${place}`);
    expect(error.message).toContain(words);
  });

  it("a missing column, with those that there are and the nearest", async () => {
    expect(await failure("episode,success\n1,1")).toMatchObject({
      code: "missing_column",
      message: 'the table has no column "episode_id"',
      hint: 'did you mean "episode"? the columns are episode, success; say which it is: --columns episode_id=<column>',
    });
    const columns = { success: "okay" };
    expect(await failure("episode_id,ok\n1,1", { columns })).toMatchObject({
      message: 'the table has no column "okay"',
      hint: expect.stringContaining('did you mean "ok"?'),
    });
  });

  it("text in a column that was asked for", async () => {
    const columns = { spl: "quality" };
    const error = await failure("episode_id,success,quality\n1,1,good", { columns });
    expect(error.where).toContain(":2:5");
  });
});

describe("--columns", () => {
  it.each([["spl"], ["=x"], ["x="]])("refuses %s", (pair) => {
    expect(() => parseColumns([pair])).toThrow(ConfigError);
  });

  it("refuses two names for a column", async () => {
    const columns = { spl: "q", ndtw: "q" };
    await expect(read("episode_id,success,q\n1,1,1", { columns })).rejects.toMatchObject({
      code: "bad_columns",
      message: 'spl and ndtw would both be "q"',
    });
  });

  it("refuses a name twice", () => {
    expect(() => parseColumns(["a=b", "a=c"])).toThrow("given twice");
  });
});

describe("detection", () => {
  it.each([
    ["episode_id,success\n1,1", true],
    ['"episode_id","success"\r\n1,1', true],
    ['{"episode_id": 1, "success": true}\n', true],
    ['[{"episode_id": 1, "sr": 1}]', true],
    ["id,ok\n1,1", false],
    ['{"1": {"success": 1}}', false],
    ["some text", false],
  ])("of %s: %s", async (text, expected) => {
    writeFileSync(path, text);
    expect(table.detect(await readSample(path))).toBe(expected);
  });
});

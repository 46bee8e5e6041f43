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

describe("results table", () => {
  it("a results table is read in the same way from CSV, JSON Lines and a JSON list", async () => {
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

  it.each(["true", "TRUE", "1", "1.0", "yes"])(
    "%s in a results table is read as success",
    async (word) => {
      expect((await read(`episode_id,success\n1,${word}`))[0]?.outcome).toBe("success");
    },
  );

  it.each(["false", "False", "0", "0.0", "no"])(
    "%s in a results table is read as failure",
    async (word) => {
      expect((await read(`episode_id,success\n1,${word}`))[0]?.outcome).toBe("failure");
    },
  );

  it("empty cells, nan and inf in a results table are missing values", async () => {
    const [first, ...others] = await read(
      "episode_id,success,spl\n1,1,\n2,1,nan\n3,0,-inf\n4,1,0.5",
    );
    expect(first?.metrics.spl).toBeNull();
    expect(others.map(({ metrics }) => metrics.spl)).toEqual([null, null, 0.5]);
  });

  it("an episode of a results table is invalid if its success is empty or it has an error", async () => {
    const episodes = await read("episode_id,success,error\n1,,\n2,0,out of memory\n3,1,");
    expect(episodes).toMatchObject([
      { outcome: "invalid", fault: "data", error: { code: "no_result" } },
      { outcome: "invalid", fault: "platform", error: { message: "out of memory" } },
      { outcome: "success" },
    ]);
  });

  it("columns of numbers in a results table are metrics, and columns of text are skipped", async () => {
    const [episode] = await read("episode_id,success,reward,comment\n1,1,3.5,nice");
    expect(episode?.metrics).toEqual({ success: 1, reward: 3.5 });
  });

  it("only the named columns of a results table are read if columns are named", async () => {
    const columns = parseColumns(["episode_id=id", "success=ok", "scene_id=scene", "spl=SPL"]);
    const [episode] = await read("id,ok,scene,SPL,reward\n7,1,hall,0.5,9", { columns });
    expect(episode).toMatchObject({ episodeId: "7", sceneId: "hall" });
    expect(episode?.metrics).toEqual({ success: 1, spl: 0.5 });
  });

  it("the common names of success are recognised in a results table", async () => {
    const [episode] = await read("episode_id,is_success\n1,1");
    expect(episode?.metrics).toEqual({ success: 1 });
  });

  it("a table with a task column has several tasks", async () => {
    const episodes = await read("episode_id,success,task\n1,1,pick\n1,0,place");
    expect(episodes.map(({ task }) => task)).toEqual(["pick", "place"]);
    await expect(read("episode_id,success,task\n1,1,pick", { task: "mine" })).rejects.toMatchObject(
      { code: "task_named" },
    );
  });

  it("a table is classified as navigation by its metrics", async () => {
    expect((await read("episode_id,success,spl\n1,1,1"))[0]?.task).toBe("vln");
    expect((await read("episode_id,success,reward\n1,1,1"))[0]?.task).toBe("manipulation");
  });
});

describe("invalid results table", () => {
  it.each([
    ["a missing cell", "episode_id,success,spl\n1,1", ":2:3", "2 cells, but the header has 3"],
    ["text among numbers", "episode_id,success,spl\n1,1,0.5\n2,1,O.7", ":3:5", 'got "O.7"'],
    ["no id", "episode_id,success\n,1", ":2:1", "episode_id"],
    ["an invalid success", "episode_id,success\n4,maybe", ":2:3", "episode 4, success: expected"],
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
    [
      "an id above 2^53",
      '[{"episode_id": 9007199254740993, "success": 1}]',
      ", [0]",
      "rounded as a number, got 9007199254740993",
    ],
    ["a list in JSON", '[{"episode_id": 1, "success": [1]}]', ", [0]", "got [1]"],
  ])(
    "the table reader rejects a results table with its line and the value: %s",
    async (_, text, place, words) => {
      const error = await failure(text);
      expect(error.where).toContain(`${path}${place}`);
      expect(error.message).toContain(words);
    },
  );

  it("the table reader names a missing column with the existing ones and the closest match", async () => {
    expect(await failure("episode,success\n1,1")).toMatchObject({
      code: "missing_column",
      message: 'the table has no column "episode_id"',
      hint: 'did you mean "episode"? the columns are episode, success; select it with --columns episode_id=<column>',
    });
    const columns = { success: "okay" };
    expect(await failure("episode_id,ok\n1,1", { columns })).toMatchObject({
      message: 'the table has no column "okay"',
      hint: expect.stringContaining('did you mean "ok"?'),
    });
  });

  it("an error names text in a requested column of a results table", async () => {
    const columns = { spl: "quality" };
    const error = await failure("episode_id,success,quality\n1,1,good", { columns });
    expect(error.where).toContain(":2:5");
  });
});

describe("--columns", () => {
  it.each([["spl"], ["=x"], ["x="]])("--columns rejects %s", (pair) => {
    expect(() => parseColumns([pair])).toThrow(ConfigError);
  });

  it("--columns rejects two names for one column", async () => {
    const columns = { spl: "q", ndtw: "q" };
    await expect(read("episode_id,success,q\n1,1,1", { columns })).rejects.toMatchObject({
      code: "bad_columns",
      message: 'spl and ndtw both map to "q"',
    });
  });

  it("--columns rejects a repeated name", () => {
    expect(() => parseColumns(["a=b", "a=c"])).toThrow("given twice");
  });
});

describe("results format detection", () => {
  it.each([
    ["episode_id,success\n1,1", true],
    ['"episode_id","success"\r\n1,1', true],
    ['{"episode_id": 1, "success": true}\n', true],
    ['[{"episode_id": 1, "sr": 1}]', true],
    ["id,ok\n1,1", false],
    ['{"1": {"success": 1}}', false],
    ["some text", false],
  ])("results format detection detects a table in %j: %s", async (text, expected) => {
    writeFileSync(path, text);
    expect(table.detect(await readSample(path))).toBe(expected);
  });
});

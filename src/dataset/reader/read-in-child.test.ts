import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { File, ready } from "h5wasm/node";
import { afterAll, describe, expect, it } from "vitest";
import { parquetBytes } from "../readers/parquet-write.js";
import type { ReaderJob } from "./jobs.js";
import { readInChild } from "./read-in-child.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-reader-"));
afterAll(() => rmSync(folder, { recursive: true }));

const BUILT = new URL("../../../dist/dataset/reader/reader-main.js", import.meta.url);
const LIMITS = { seconds: 30, megabytes: 64 };

/** Returns the values of a read, or its error. */
async function outcome(
  job: ReaderJob,
  path: string,
  { entry = BUILT, limits = LIMITS } = {},
): Promise<unknown> {
  const values: unknown[] = [];
  try {
    for await (const value of readInChild(job, { path }, { entry, limits })) values.push(value);
    return values;
  } catch (error) {
    return error;
  }
}

/** A program that replaces the reader's. */
function program(name: string, code: string): URL {
  const path = join(folder, name);
  writeFileSync(path, code);
  return pathToFileURL(path);
}

/** A LeRobot dataset of one episode. */
async function lerobot(): Promise<{ root: string; file: string; bytes: Buffer }> {
  const root = join(folder, "set");
  for (const name of ["meta", "data"]) mkdirSync(join(root, name), { recursive: true });
  const rows = 64;
  const info = {
    ...{ codebase_version: "v2.1", fps: 10, data_path: "data/{episode_index:d}.parquet" },
    features: { action: { dtype: "float32", shape: [2] } },
  };
  writeFileSync(join(root, "meta/info.json"), JSON.stringify(info));
  writeFileSync(join(root, "meta/tasks.jsonl"), '{"task_index": 0, "task": "lift"}\n');
  writeFileSync(join(root, "meta/episodes.jsonl"), `{"episode_index": 0, "length": ${rows}}\n`);
  const each = <T>(value: (i: number) => T) => Array.from({ length: rows }, (_, i) => value(i));
  const bytes = await parquetBytes([
    { name: "action", type: "float32", list: true, data: each((i) => [i, -i]) },
    { name: "timestamp", type: "float32", data: each((i) => i / 10) },
    { name: "frame_index", type: "int64", data: each((i) => i) },
    { name: "episode_index", type: "int64", data: each(() => 0) },
    { name: "task_index", type: "int64", data: each(() => 0) },
  ]);
  const file = join(root, "data/0.parquet");
  writeFileSync(file, bytes);
  return { root, file, bytes: Buffer.from(bytes) };
}

describe("readInChild", () => {
  it("readInChild yields the same episodes as reading in this process", async () => {
    expect(existsSync(BUILT), "run `npm run build` first").toBe(true);
    const { root } = await lerobot();
    const none = new URL("no-such-file.js", BUILT);
    const here = await outcome("lerobot", root, { entry: none });
    expect(here).toHaveLength(1);
    expect(await outcome("lerobot", root)).toEqual(here);
  });

  it("readInChild passes on the reader errors with code, location and hint", async () => {
    await ready;
    const path = join(folder, "other.h5");
    new File(path, "w").close();
    expect(await outcome("hdf5_names", path)).toEqual([[]]);
    expect(await outcome("robomimic", path)).toMatchObject({
      ...{ name: "DataError", code: "missing_hdf5_path", where: path },
    });
  });

  it("readInChild stops a reader without progress and names the limit and how to raise it", async () => {
    const entry = program("stuck.mjs", `process.on("message", () => { for (;;); });`);
    const limits = { seconds: 1, megabytes: 64 };
    expect(await outcome("robomimic", "a.hdf5", { entry, limits })).toMatchObject({
      ...{ name: "DataError", code: "reader_timeout", where: "a.hdf5", exitCode: 2 },
      message: expect.stringContaining("no progress for 1 s"),
      hint: expect.stringContaining("ROBOT_EVAL_READ_SECONDS=10"),
    });
  });

  it("readInChild survives a reader whose heap is full", async () => {
    const entry = program(
      "full.mjs",
      `process.on("message", () => { const all = []; for (;;) all.push({}); });`,
    );
    const limits = { seconds: 30, megabytes: 64 };
    expect(await outcome("robomimic", "a.hdf5", { entry, limits })).toMatchObject({
      ...{ name: "DataError", code: "reader_crashed", where: "a.hdf5" },
      hint: expect.stringContaining("ROBOT_EVAL_READ_MEMORY_MB=128"),
    });
  });

  it("readInChild survives Parquet levels that declare a billion repetitions", async () => {
    const { root, file, bytes } = await lerobot();
    const codes = new Set<unknown>();
    // The length of a run as a varint, and its value. Its position in the first page depends on the writer.
    const run = Buffer.from([0x80, 0x80, 0x80, 0x80, 0x08, 0x00]);
    for (let at = 27; at < 33 && !codes.has("reader_crashed"); at++) {
      const damaged = Buffer.from(bytes);
      run.copy(damaged, at);
      writeFileSync(file, damaged);
      const found = await outcome("lerobot", root);
      if (!Array.isArray(found)) expect(found).toMatchObject({ name: "DataError" });
      codes.add(Array.isArray(found) ? "value" : Reflect.get(Object(found), "code"));
    }
    expect([...codes]).toContain("reader_crashed");
  });
});

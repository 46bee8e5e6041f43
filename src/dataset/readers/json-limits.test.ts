import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { readCsv } from "../results/csv.js";
import { readText } from "./bytes.js";
import {
  checkJsonSize,
  MAX_JSON_CONTAINERS,
  MAX_JSON_ENTRY,
  MAX_JSON_TEXT,
} from "./json-limits.js";
import { streamJson, streamJsonLines } from "./json-stream.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-json-limits-"));
afterAll(() => rmSync(folder, { recursive: true }));

const MEBIBYTE = 2 ** 20;

/**
 * A gzip of `start` followed by many repetitions of `unit`. Concatenated gzip members form one text, so
 * this is fast.
 */
function bomb(start: string, unit: string, bytes: number): string {
  const path = join(folder, "bomb.json.gz");
  const member = gzipSync(unit.repeat(MEBIBYTE / unit.length));
  const members = Array.from({ length: Math.ceil(bytes / MEBIBYTE) }, () => member);
  writeFileSync(path, Buffer.concat([gzipSync(start), ...members]));
  return path;
}

async function all(values: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of values);
}

describe("decompression limits", () => {
  it("the JSON reader rejects a single string of 3 GiB", async () => {
    const path = bomb('{"episodes": ["', "x", 3072 * MEBIBYTE);
    await expect(all(streamJson(path))).rejects.toMatchObject({
      ...{ code: "json_too_large", where: expect.stringContaining("bomb.json.gz:1:") },
      message: expect.stringContaining(`the limit is ${MAX_JSON_ENTRY}`),
    });
  });

  it("the JSON reader rejects an entry with too many objects before parsing it", async () => {
    const path = bomb('{"episodes": [', "{},{},{},{},{},X", 200 * MEBIBYTE);
    await expect(all(streamJson(path))).rejects.toMatchObject({
      ...{ code: "json_too_large" },
      message: expect.stringContaining(`${MAX_JSON_CONTAINERS} lists and objects`),
    });
  });

  it("the line reader rejects a single line of 100 MiB", async () => {
    const path = bomb('{"text": "', "x", 100 * MEBIBYTE);
    await expect(all(streamJsonLines(path))).rejects.toMatchObject({ code: "json_too_large" });
  });

  it("the whole-file reader rejects text beyond its limit", async () => {
    const path = bomb("[", " ", MAX_JSON_TEXT + MEBIBYTE);
    await expect(readText(path)).rejects.toMatchObject({ code: "file_too_large", where: path });
  });

  it("the CSV reader rejects an unbounded cell", async () => {
    const path = bomb('id,text\n1,"', "x", 3 * MEBIBYTE);
    await expect(all(readCsv(path))).rejects.toMatchObject({ code: "bad_csv" });
  });
});

describe("checkJsonSize", () => {
  it("checkJsonSize accepts a large text but rejects one with too many objects", () => {
    const numbers = Buffer.alloc(MAX_JSON_TEXT + 1, "1,");
    checkJsonSize(numbers, "a.json");
    const objects = Buffer.alloc(MAX_JSON_TEXT + 1, "{},");
    expect(() => checkJsonSize(objects, "a.json")).toThrow("lists and objects");
  });
});

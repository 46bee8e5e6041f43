import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";
import { expect, it } from "vitest";
import { readLines } from "./read-lines.js";

async function linesOf(...chunks: readonly string[]): Promise<string[]> {
  const stream = new PassThrough();
  const lines: string[] = [];
  readLines(stream, (line) => lines.push(line));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await finished(stream);
  return lines;
}

it("readLines joins lines that arrive in parts, with either line ending, and returns an unterminated last line", async () => {
  expect(await linesOf("a", "b\nc\r\n\nd", "e")).toEqual(["ab", "c", "", "de"]);
});

it("readLines returns an endless line in parts instead of collecting it", async () => {
  const lines = await linesOf(...Array.from({ length: 100 }, () => "x".repeat(10_000)), "\nend");
  expect(lines.join("")).toBe(`${"x".repeat(1_000_000)}end`);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(80_000);
});

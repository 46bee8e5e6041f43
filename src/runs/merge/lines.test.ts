import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { episodeLine, runInfo, temporaryFolder } from "../../../test/support/cli.js";
import { RunDirectory } from "../directory/run-directory.js";
import { readLines } from "./lines.js";
import type { Source } from "./source.js";

/** A run with one episode per number and two repeats of each. */
function source(numbers: readonly number[]): Source {
  const path = temporaryFolder();
  const lines = numbers.flatMap((n) =>
    [1, 0].map((repeat) => JSON.stringify(episodeLine({ episode_id: String(n), repeat }))),
  );
  writeFileSync(join(path, "episodes.jsonl"), `${lines.join("\n")}\n`);
  return { run: new RunDirectory(path), info: runInfo(), shard: undefined, label: "" };
}

it("readLines yields more lines than fit in one portion in order, each once, with its run", async () => {
  // Seven digits each, so that text order equals numeric order.
  const numbers = Array.from({ length: 12_000 }, (_, i) => 1_000_000 + ((i * 7919) % 12_000));
  const sources = [0, 1].map((half) => source(numbers.filter((n) => n % 2 === half)));
  const lines = await readLines(sources);
  expect(lines.counts).toEqual(new Map([["vln", 24_000]]));
  let i = 0;
  for await (const { line, source: from } of lines.inOrder()) {
    const n = 1_000_000 + Math.floor(i / 2);
    if (line.episode_id !== String(n) || line.repeat !== i % 2 || from !== sources[n % 2]) {
      expect.fail(`line ${i} is ${line.episode_id}, repeat ${line.repeat}`);
    }
    i++;
  }
  expect(i).toBe(24_000);
});

it("readLines reports a line that disappears while reading", async () => {
  const one = source([1, 2]);
  const lines = await readLines([one]);
  writeFileSync(one.run.file("episodes"), `${JSON.stringify(episodeLine({ episode_id: "1" }))}\n`);
  const all = async () => {
    for await (const _ of lines.inOrder());
  };
  await expect(all()).rejects.toMatchObject({ code: "run_changed" });
});

import { appendFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { episodeLine, temporaryFolder } from "../../../test/support/cli.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { RunFolder } from "./run-folder.js";
import { UNFINISHED, writeRun } from "./run-index.fixture.js";
import { RunIndex } from "./run-index.js";

async function opened(folder: string) {
  const index = new RunIndex(await RunFolder.open(folder), {});
  const listed = async () => {
    const { runs, damaged } = await index.list();
    return [
      ...runs.map(({ id, agent }) => `${id} ${agent}`),
      ...damaged.map(({ id }) => `! ${id}`),
    ];
  };
  return { index, listed };
}

it("the card of a partially scored run has the number of its episodes and that of the dataset", async () => {
  const folder = temporaryFolder();
  const partial = { scored: 100, of: 1021 };
  writeRun(folder, "part", { kind: "score", partial });
  writeRun(folder, "whole");
  const { index } = await opened(folder);
  const { runs } = await index.list();
  expect(runs.map((card) => [card.id, card.partial])).toEqual([
    ["whole", undefined],
    ["part", partial],
  ]);
});

it("the card of a run has its name, its tags and what its policy declared", async () => {
  const folder = temporaryFolder();
  const policies = { vln: { name: "openvla", checkpoint: "step-1000" } };
  writeRun(folder, "named", { name: "before", tags: { suite: "night" }, policies });
  const { index } = await opened(folder);
  expect((await index.list()).runs[0]).toMatchObject({
    name: "before",
    tags: { suite: "night" },
    policies,
    policy: "openvla, checkpoint step-1000",
  });
});

describe("the next listing", () => {
  it("the next listing contains a new run, and not a deleted or renamed one", async () => {
    const folder = temporaryFolder();
    writeRun(folder, "a");
    const { index, listed } = await opened(folder);
    expect(await listed()).toEqual(["a random"]);
    const then = index.revision;
    writeRun(folder, "b");
    expect(await listed()).toEqual(["b random", "a random"]);
    renameSync(join(folder, "a"), join(folder, "c"));
    rmSync(join(folder, "b"), { recursive: true });
    expect(await listed()).toEqual(["c random"]);
    const changes = index
      .changesSince(then)
      .map((event) => (event.type === "gone" ? `- ${event.id}` : `+ ${event.card.id}`));
    expect(changes.sort()).toEqual(["+ c", "- a", "- b"]);
  });

  it("the next listing contains a changed document of a run, even if it was written in place", async () => {
    const folder = temporaryFolder();
    const run = writeRun(folder, "a");
    const { index, listed } = await opened(folder);
    expect(await listed()).toEqual(["a random"]);
    writeRun(folder, "a", { agent: "another" });
    expect(await listed()).toEqual(["a another"]);
    writeFileSync(join(run, "run.json"), "{");
    expect(await listed()).toEqual(["! a"]);
    writeRun(folder, "a", { status: "cancelled" });
    expect((await index.list()).runs[0]?.status).toBe("cancelled");
  });

  it("the next listing counts the lines added to a run without a summary", async () => {
    const folder = temporaryFolder();
    const run = writeRun(folder, "a", UNFINISHED);
    const { index } = await opened(folder);
    const count = async () => (await index.list()).runs[0]?.episodes.total;
    expect(await count()).toBe(0);
    appendFileSync(join(run, "episodes.jsonl"), `${JSON.stringify(episodeLine())}\n`);
    expect(await count()).toBe(1);
    expect((await index.list()).runs[0]?.status).toBe("stale");
  });

  it("the next listing starts after the request, even while another is in progress", async () => {
    const folder = temporaryFolder();
    for (let i = 0; i < 20; i++) writeRun(folder, `a${i}`);
    const { index } = await opened(folder);
    const underWay = index.list();
    await Promise.resolve();
    writeRun(folder, "late");
    const [, next] = await Promise.all([underWay, index.list()]);
    expect(next.runs.map(({ id }) => id)).toContain("late");
  });
});

it("a listing reads the folder once, and no documents of unchanged runs", async () => {
  const folder = temporaryFolder();
  for (let i = 0; i < 50; i++) writeRun(folder, `a${i}`);
  const { index, listed } = await opened(folder);
  await listed();
  const before = await index.list();
  const reads = vi.spyOn(RunDirectory.prototype, "info");
  const readdirs = vi.spyOn(RunFolder.prototype, "paths");
  try {
    expect(await index.list()).toBe(before);
    expect(reads).not.toHaveBeenCalled();
    expect(readdirs).toHaveBeenCalledTimes(1);
    writeRun(folder, "a7", { agent: "another" });
    const after = await index.list();
    expect(reads).toHaveBeenCalledTimes(1);
    expect(readdirs).toHaveBeenCalledTimes(2);
    expect(index.changesSince(before.revision ?? "")).toEqual([
      { type: "run", card: expect.objectContaining({ id: "a7", agent: "another" }) },
    ]);
    expect(after.revision).not.toBe(before.revision);
  } finally {
    reads.mockRestore();
    readdirs.mockRestore();
  }
});

it("closing the index ends a listing in progress", async () => {
  const folder = temporaryFolder();
  for (let i = 0; i < 100; i++) writeRun(folder, `a${i}`);
  const { index } = await opened(folder);
  const listing = index.list();
  index.close();
  expect((await listing).runs.length).toBeLessThan(100);
});

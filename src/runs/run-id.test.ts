import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluate, makeWorld, temporaryFolder } from "../../test/support/cli.js";
import { freeRunId, takeRunId } from "./run-id.js";

describe("a run id that was chosen", () => {
  it("is the run's, and its folder's name", async () => {
    const world = makeWorld();
    const run = await evaluate(world, { runId: "shard-1" });
    expect(run).toMatchObject({ run_id: "shard-1", run_dir: join(world.out, "shard-1") });
    expect(readdirSync(world.out)).toEqual(["shard-1"]);
  });

  it("is not given twice, and the run that has it stays as it is", async () => {
    const world = makeWorld();
    await evaluate(world, { runId: "mine" });
    const before = readdirSync(join(world.out, "mine"));
    await expect(evaluate(world, { runId: "mine" })).rejects.toMatchObject({
      code: "run_exists",
      where: join(world.out, "mine"),
      hint: expect.stringContaining("resume"),
      exitCode: 2,
    });
    expect(readdirSync(world.out)).toEqual(["mine"]);
    expect(readdirSync(join(world.out, "mine"))).toEqual(before);
  });

  it("is the run's although nothing is written", async () => {
    const run = await evaluate(makeWorld(), { runId: "mine", outDir: null });
    expect(run).toMatchObject({ run_id: "mine", run_dir: null });
  });

  it.each([
    "",
    ".",
    "..",
    "../up",
    "a/b",
    "a\\b",
    ".hidden",
    "-flag",
    "a b",
    "a\0",
    "x".repeat(201),
  ])("is a plain name, and not %j", async (id) => {
    const parent = temporaryFolder();
    await expect(takeRunId(parent, id)).rejects.toMatchObject({
      code: "bad_run_id",
      where: "--run-id",
    });
    expect(readdirSync(parent)).toEqual([]);
  });

  it("may be a name of other scripts", async () => {
    expect(await takeRunId(temporaryFolder(), "评测_1")).toBe("评测_1");
  });

  it("is not that of a folder which is something else", async () => {
    const parent = temporaryFolder();
    mkdirSync(join(parent, "photos"));
    writeFileSync(join(parent, "photos", "cat.jpg"), "");
    writeFileSync(join(parent, "file"), "");
    for (const id of ["photos", "file"]) {
      await expect(takeRunId(parent, id)).rejects.toMatchObject({ code: "run_exists" });
    }
  });

  it("is taken up by whoever comes after a process that was killed before the run had begun", async () => {
    const world = makeWorld();
    const path = join(world.out, "mine");
    mkdirSync(join(path, "trajectories"), { recursive: true });
    const rest = { "benchmark.yaml": "other", "episodes.jsonl": "", "run.json.1.tmp": "{" };
    for (const [name, text] of Object.entries(rest)) writeFileSync(join(path, name), text);
    const run = await evaluate(world, { runId: "mine" });
    expect(run).toMatchObject({ run_dir: path, episodes: { total: 6 } });
  });

  it("is refused while one that was killed stands in the way of a run that appears whole", async () => {
    const parent = temporaryFolder();
    mkdirSync(join(parent, ".mine.partial"));
    await expect(takeRunId(parent, "mine", "whole")).rejects.toMatchObject({
      code: "run_exists",
      where: join(parent, ".mine.partial"),
    });
  });
});

it("a run id of the time gets a number where there is one already", async () => {
  const parent = temporaryFolder();
  const ids = await Promise.all([1, 2, 3].map(() => freeRunId(parent, "20260101T120000Z")));
  expect(ids.sort()).toEqual(["20260101T120000Z", "20260101T120000Z-2", "20260101T120000Z-3"]);
});

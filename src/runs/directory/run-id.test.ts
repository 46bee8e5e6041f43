import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluate, makeWorld, temporaryFolder } from "../../../test/support/cli.js";
import { freeRunId, takeRunId } from "./run-id.js";

describe("a run id given by the user", () => {
  it("the given run id names the run and its folder", async () => {
    const world = makeWorld();
    const run = await evaluate(world, { runId: "shard-1" });
    expect(run).toMatchObject({ run_id: "shard-1", run_dir: join(world.out, "shard-1") });
    expect(readdirSync(world.out)).toEqual(["shard-1"]);
  });

  it("the run writer rejects a run id that another run has, and leaves that run unchanged", async () => {
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

  it("the given run id names the run even if nothing is written", async () => {
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
    "a:b",
    "nul",
    "COM1.old",
    "ends.",
    "e\u0301",
    "x".repeat(201),
  ])("the run writer rejects the run id %j", async (id) => {
    const parent = temporaryFolder();
    await expect(takeRunId(parent, id)).rejects.toMatchObject({
      code: "bad_run_id",
      where: "--run-id",
    });
    expect(readdirSync(parent)).toEqual([]);
  });

  it("the run writer accepts a run id with non-Latin letters", async () => {
    expect(await takeRunId(temporaryFolder(), "评测_1")).toBe("评测_1");
  });

  it("the run writer rejects a run id if a folder of that name is not a run", async () => {
    const parent = temporaryFolder();
    mkdirSync(join(parent, "photos"));
    writeFileSync(join(parent, "photos", "cat.jpg"), "");
    writeFileSync(join(parent, "file"), "");
    for (const id of ["photos", "file"]) {
      await expect(takeRunId(parent, id)).rejects.toMatchObject({ code: "run_exists" });
    }
  });

  it("a run id is free again after a process was killed before the run began", async () => {
    const world = makeWorld();
    const path = join(world.out, "mine");
    mkdirSync(join(path, "trajectories"), { recursive: true });
    const rest = { "benchmark.yaml": "other", "episodes.jsonl": "", "run.json.1.tmp": "{" };
    for (const [name, text] of Object.entries(rest)) writeFileSync(join(path, name), text);
    const run = await evaluate(world, { runId: "mine" });
    expect(run).toMatchObject({ run_dir: path, episodes: { total: 6 } });
  });

  it("the run writer rejects the id of an atomic run while the folder of a killed run exists", async () => {
    const parent = temporaryFolder();
    mkdirSync(join(parent, ".mine.partial"));
    await expect(takeRunId(parent, "mine", "whole")).rejects.toMatchObject({
      code: "run_exists",
      where: join(parent, ".mine.partial"),
    });
  });
});

it("a generated run id gets a number when the id is taken", async () => {
  const parent = temporaryFolder();
  const ids = await Promise.all([1, 2, 3].map(() => freeRunId(parent, "20260101T120000Z")));
  expect(ids.sort()).toEqual(["20260101T120000Z", "20260101T120000Z-2", "20260101T120000Z-3"]);
});

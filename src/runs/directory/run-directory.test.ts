import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  episodeDict,
  episodeLine,
  linesOf,
  runInfo,
  temporaryFolder,
} from "../../../test/support/cli.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { Summariser } from "../summary/summary.js";
import { RunDirectory } from "./run-directory.js";
import { freeRunId } from "./run-id.js";
import { RunWriter } from "./run-writer.js";
import { TrajectoryBuffer } from "./trajectory.js";

const summary = (status: "done" | "cancelled" = "done") =>
  new Summariser({ runId: "a-run", benchmark: "b", agent: "random", seed: 0, tasks: {} }).finish(
    status,
  );

describe("a live run", () => {
  it("a live run has its final name from the start and is readable while it is written", async () => {
    const parent = temporaryFolder();
    const writer = await RunWriter.create(parent, runInfo(), "benchmark: {}\n", "live");
    expect(writer.path).toBe(join(parent, "a-run"));
    await writer.append(episodeLine());
    const run = await RunDirectory.open(writer.path);
    expect((await run.info()).status).toBe("running");
    expect(await linesOf(writer.path)).toHaveLength(1);
    await writer.abandon();
    expect(await linesOf(writer.path)).toHaveLength(1);
  });

  it("a live run ends with its summary and the status of the summary", async () => {
    const parent = temporaryFolder();
    const writer = await RunWriter.create(parent, runInfo(), "benchmark: {}\n", "live");
    const end = "2026-01-01T01:00:00.000Z";
    const path = await writer.finish(summary("cancelled"), end, ["mind the gap"]);
    const run = await RunDirectory.open(path);
    expect(await run.info()).toMatchObject({
      status: "cancelled",
      finished_at: end,
      warnings: ["mind the gap"],
    });
    expect((await run.summary()).status).toBe("cancelled");
    expect(readFileSync(run.file("benchmark"), "utf8")).toBe("benchmark: {}\n");
    expect(readdirSync(path).sort()).toEqual([
      "benchmark.yaml",
      "episodes.jsonl",
      "log.jsonl",
      "run.json",
      "summary.json",
      "trajectories",
    ]);
  });

  it("a run keeps trajectories inside its folder, whatever the episode id", async () => {
    const parent = temporaryFolder();
    const writer = await RunWriter.create(parent, runInfo(), "", "live");
    const key = "vln/../../../../out/1";
    const buffer = new TrajectoryBuffer(BaseEpisode.fromDict(episodeDict("1", "a", "b")));
    const line = episodeLine({ episode_key: key });
    const name = await writer.saveTrajectory(line, buffer);
    await writer.append({ ...line, trajectory: name });
    await writer.finish(summary(), "", []);
    expect(readdirSync(join(writer.path, "trajectories"))).toEqual([name.split("/")[1]]);
    expect(readdirSync(parent)).toEqual(["a-run"]);
  });
});

describe("a run that is written atomically", () => {
  it("a run that is written atomically appears when it is complete", async () => {
    const parent = temporaryFolder();
    const writer = await RunWriter.create(parent, runInfo(), "", "whole");
    expect(existsSync(join(parent, "a-run"))).toBe(false);
    expect(await writer.finish(summary(), "", [])).toBe(join(parent, "a-run"));
    expect(readdirSync(parent)).toEqual(["a-run"]);
  });

  it("an abandoned run leaves no files", async () => {
    const parent = temporaryFolder();
    const writer = await RunWriter.create(parent, runInfo(), "", "whole");
    await writer.append(episodeLine());
    await writer.abandon();
    expect(readdirSync(parent)).toEqual([]);
  });
});

it("a run of an early version is readable: no list of broken-off episodes, latency without counts", async () => {
  const writer = await RunWriter.create(temporaryFolder(), runInfo(), "benchmark: {}\n", "live");
  await writer.append(episodeLine());
  const path = await writer.finish(summary(), "2026-01-01T01:00:00.000Z", []);
  const { broken_off_episodes: _, ...early } = summary();
  writeFileSync(join(path, "summary.json"), JSON.stringify(early));
  const line = { ...episodeLine(), agent_latency_ms: { p50: 1, p95: 2, p99: 3 } };
  writeFileSync(join(path, "episodes.jsonl"), `${JSON.stringify(line)}\n`);
  const run = await RunDirectory.open(path);
  expect((await run.summary()).broken_off_episodes).toEqual([]);
  for await (const read of run.episodes())
    expect(read).toEqual({ ...line, agent_latency_ms: null });
  expect(await linesOf(path)).toHaveLength(1);
});

it("an error names the runs in a folder that is given in place of a run", async () => {
  const parent = temporaryFolder();
  const writer = await RunWriter.create(parent, runInfo(), "benchmark: {}\n", "live");
  await writer.abandon();
  await expect(RunDirectory.open(parent)).rejects.toMatchObject({
    code: "no_run",
    hint: `give the run: ${join(parent, "a-run")}`,
  });
});

describe("run ids", () => {
  it.each(["live", "whole"] as const)(
    "the ids of several %s runs that start in the same second differ",
    async (appear) => {
      const parent = join(temporaryFolder(), "not", "there", "yet");
      const ids = await Promise.all(
        Array.from({ length: 8 }, () => freeRunId(parent, "base", appear)),
      );
      const expected = Array.from({ length: 8 }, (_, i) => (i === 0 ? "base" : `base-${i + 1}`));
      expect(ids.sort()).toEqual(expected);
    },
  );

  it.each(["live", "whole"] as const)(
    "a new id of a %s run is not that of a finished one",
    async (appear) => {
      const parent = temporaryFolder();
      mkdirSync(join(parent, "base"));
      expect(await freeRunId(parent, "base", appear)).toBe("base-2");
      expect(readdirSync(parent)).toEqual(
        appear === "live" ? ["base", "base-2"] : [".base-2.partial", "base"],
      );
    },
  );

  it("the run writer rejects a run id where no folder can be created", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    await expect(freeRunId(file, "base")).rejects.toMatchObject({
      code: "cannot_write",
      exitCode: 2,
      hint: expect.stringContaining("--out"),
    });
  });
});

describe("a damaged run directory", () => {
  async function makeRun(): Promise<string> {
    const writer = await RunWriter.create(temporaryFolder(), runInfo(), "", "live");
    return writer.finish(summary(), "", []);
  }

  it("RunDirectory rejects a run directory that does not exist", async () => {
    const path = join(temporaryFolder(), "none");
    await expect(RunDirectory.open(path)).rejects.toMatchObject({ code: "no_run", where: path });
  });

  it("RunDirectory rejects a run directory that is a file", async () => {
    const path = join(temporaryFolder(), "file");
    writeFileSync(path, "");
    await expect(RunDirectory.open(path)).rejects.toMatchObject({ code: "no_run", where: path });
  });

  it("RunDirectory rejects a run without run.json", async () => {
    const path = await makeRun();
    rmSync(join(path, "run.json"));
    await expect(RunDirectory.open(path)).rejects.toMatchObject({
      code: "missing_file",
      message: expect.stringContaining("run.json"),
      where: path,
      hint: expect.stringContaining("run directory"),
    });
  });

  it.each(["", '{"format": "robot-eval-run/1",', "null", "42"])(
    "RunDirectory rejects a run whose run.json contains %j",
    async (text) => {
      const path = await makeRun();
      writeFileSync(join(path, "run.json"), text);
      await expect(RunDirectory.open(path)).rejects.toMatchObject({
        code: "damaged_file",
        where: join(path, "run.json"),
      });
    },
  );

  it.each(["{}", "[]", '{"format": "robot-eval-run/2"}'])(
    "RunDirectory rejects a run.json of another format version: %s",
    async (text) => {
      const path = await makeRun();
      writeFileSync(join(path, "run.json"), text);
      await expect(RunDirectory.open(path)).rejects.toMatchObject({
        code: "wrong_version",
        where: join(path, "run.json"),
        hint: expect.stringContaining("robot-eval-run/1"),
      });
    },
  );

  it("RunDirectory rejects a run without summary.json, as after a crash", async () => {
    const path = await makeRun();
    rmSync(join(path, "summary.json"));
    const run = await RunDirectory.open(path);
    await expect(run.summary()).rejects.toMatchObject({
      code: "missing_file",
      message: expect.stringContaining("summary.json"),
      hint: expect.stringContaining("at the end of a run"),
    });
  });

  it("RunDirectory rejects a run without episodes.jsonl", async () => {
    const path = await makeRun();
    rmSync(join(path, "episodes.jsonl"));
    await expect(linesOf(path)).rejects.toMatchObject({ code: "missing_file" });
  });
});

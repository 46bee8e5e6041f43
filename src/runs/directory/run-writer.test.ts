import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  episodeDict,
  episodeLine,
  linesOf,
  runInfo,
  temporaryFolder,
} from "../../../test/support/cli.js";
import { setAsideOf } from "../../../test/support/run-content.js";
import { sampled } from "../../../test/support/sampled.js";
import { BaseEpisode } from "../../core/episode/base.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { Summariser } from "../summary/summary.js";
import { RunDirectory } from "./run-directory.js";
import { RunLock } from "./run-lock.js";
import { RunWriter } from "./run-writer.js";
import { TrajectoryBuffer } from "./trajectory.js";

const LINES = ["1", "2", "走廊"].map((episode_id) => episodeLine({ episode_id }));

const summary = new Summariser({
  runId: "a-run",
  benchmark: "b",
  agent: "random",
  seed: 0,
  tasks: {},
}).finish("done");

const RESUMPTION = { at: "2026-01-02T00:00:00.000Z", done: 3, agent: "random", versions: {} };

/** A run with three lines whose process has ended. */
async function brokenOff(lines = LINES): Promise<string> {
  const writer = await RunWriter.create(temporaryFolder(), runInfo(), "", "live");
  for (const line of lines) await writer.append(line);
  await writer.abandon();
  return writer.path;
}

async function reopen(path: string, isRetried?: (line: EpisodeLine) => boolean) {
  const run = await RunDirectory.open(path);
  const lock = await RunLock.take(path);
  return RunWriter.reopen({ run, info: await run.info(), lock }, RESUMPTION, [], isRetried);
}

describe("a resumed run", () => {
  it("a resumed run continues after its last line and records that it was resumed", async () => {
    const path = await brokenOff();
    const writer = await reopen(path);
    const next = episodeLine({ episode_id: "next" });
    await writer.append(next);
    await writer.finish(summary, "2026-01-02T00:00:01.000Z", []);
    expect(await linesOf(path)).toEqual([...LINES, next]);
    expect(await (await RunDirectory.open(path)).info()).toMatchObject({
      status: "done",
      started_at: runInfo().started_at,
      resumed: [RESUMPTION],
    });
    const events = readFileSync(join(path, "log.jsonl"), "utf8").trim().split("\n");
    expect(events.map((text) => JSON.parse(text).event)).toEqual([
      "run_started",
      "run_resumed",
      "run_finished",
    ]);
    await (await reopen(path)).abandon();
    const { resumed } = await (await RunDirectory.open(path)).info();
    expect(resumed).toHaveLength(2);
  });

  it("a resumed run has status running and no summary until it is done", async () => {
    const path = await brokenOff();
    await (await reopen(path)).finish(summary, "2026-01-02T00:00:01.000Z", []);
    const writer = await reopen(path);
    expect(existsSync(join(path, "summary.json"))).toBe(false);
    expect(await (await RunDirectory.open(path)).info()).toMatchObject({
      status: "running",
      finished_at: null,
    });
    await writer.abandon();
  });

  it("a run truncated at any byte of its last line loses only that line", async () => {
    const path = await brokenOff();
    const file = join(path, "episodes.jsonl");
    const whole = readFileSync(file);
    const start = whole.lastIndexOf("\n", -2) + 1;
    const last = LINES.at(-1) ?? episodeLine();
    const info = readFileSync(join(path, "run.json"));
    const ends = Array.from({ length: whole.length - start }, (_, i) => start + i);
    for (const end of sampled(ends, 20)) {
      writeFileSync(file, whole.subarray(0, end));
      expect(await linesOf(path)).toEqual(LINES.slice(0, -1));
      const writer = await reopen(path);
      await writer.append(last);
      await writer.abandon();
      expect(readFileSync(file).equals(whole), `cut at byte ${end}`).toBe(true);
      writeFileSync(join(path, "run.json"), info);
    }
  });

  it.each([1, 511, 4096, 200_000])(
    "a run loses nothing when a power cut left %i zero bytes at the end",
    async (zeros) => {
      const path = await brokenOff();
      const file = join(path, "episodes.jsonl");
      appendFileSync(file, Buffer.alloc(zeros));
      expect(await linesOf(path)).toEqual(LINES);
      await (await reopen(path)).abandon();
      expect(readFileSync(file).includes(0)).toBe(false);
      expect(await linesOf(path)).toEqual(LINES);
    },
  );

  it("resuming deletes leftover temporary files", async () => {
    const path = await brokenOff();
    for (const name of [
      "run.json.1.tmp",
      "episodes.jsonl.2.tmp",
      "trajectories/x.jsonl.gz.3.tmp",
    ]) {
      writeFileSync(join(path, name), "half");
    }
    await (await reopen(path)).abandon();
    const left = readdirSync(path, { recursive: true, encoding: "utf8" });
    expect(left.filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("resuming sets aside the lines of retried episodes", async () => {
    const path = await brokenOff();
    const writer = await reopen(path, ({ episode_id }) => episode_id === "2");
    await writer.append(episodeLine({ episode_id: "2", attempt: 2 }));
    await writer.abandon();
    expect((await linesOf(path)).map(({ episode_id, attempt }) => [episode_id, attempt])).toEqual([
      ["1", 1],
      ["走廊", 1],
      ["2", 2],
    ]);
    expect(await setAsideOf(path)).toMatchObject([{ episode_id: "2", attempt: 1 }]);
  });
});

describe("a run being written", () => {
  it("a run can be resumed as soon as run.json exists", async () => {
    const writer = await RunWriter.create(temporaryFolder(), runInfo(), "", "live");
    expect(await linesOf(writer.path)).toEqual([]);
    await (await RunDirectory.open(writer.path)).info();
    await writer.abandon();
  });

  it("a run that cannot begin leaves no lock", async () => {
    const parent = temporaryFolder();
    mkdirSync(join(parent, "a-run", "run.json", "in the way"), { recursive: true });
    await expect(RunWriter.create(parent, runInfo(), "", "live")).rejects.toMatchObject({
      code: "cannot_write",
      where: join(parent, "a-run", "run.json"),
    });
    await (await RunLock.take(join(parent, "a-run"))).release();
  });

  it("a run is locked until it ends", async () => {
    const writer = await RunWriter.create(temporaryFolder(), runInfo(), "", "live");
    await expect(RunLock.take(writer.path)).rejects.toMatchObject({ code: "run_in_use" });
    await writer.finish(summary, "", []);
    await (await RunLock.take(writer.path)).release();
  });

  it("a run being written stores the steps of the repeats of an episode separately", async () => {
    const writer = await RunWriter.create(temporaryFolder(), runInfo(), "", "live");
    const names: string[] = [];
    for (const repeat of [0, 1, 2]) {
      const steps = new TrajectoryBuffer(BaseEpisode.fromDict(episodeDict("1", "a", "b")));
      names.push(await writer.saveTrajectory(episodeLine({ repeat }), steps));
    }
    await writer.abandon();
    expect(new Set(names).size).toBe(3);
    expect(readdirSync(join(writer.path, "trajectories"))).toHaveLength(3);
  });

  it("a run being written sets aside episodes that finished after an early stop", async () => {
    const writer = await RunWriter.create(temporaryFolder(), runInfo(), "", "live");
    for (const line of LINES) await writer.append(line);
    await writer.finish(summary, "", [], ({ episode_id }) => episode_id !== "1");
    expect(await linesOf(writer.path)).toEqual(LINES.slice(0, 1));
    expect(await setAsideOf(writer.path)).toMatchObject(
      LINES.slice(1).map((line) => ({ ...line, why: "after_early_stop" })),
    );
  });
});

import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hang, stopClock } from "../../../../test/support/clock.js";
import {
  doing,
  evaluate,
  type TinyWorld,
  tempDir,
  tinyEpisode,
  tinyWorld,
} from "../../../../test/support/tiny-world.js";
import type { EpisodeLine, RunInfo } from "../../../core/interfaces/result.js";
import { createRegistries } from "../../../registry/registries.js";
import { RunDirectory } from "../../../runs/directory/run-directory.js";
import { scoreRun } from "../../../runs/score/score-run.js";
import { replayRun } from "./replay-run.js";

async function record(
  world: TinyWorld,
  agent: Parameters<typeof evaluate>[1] = "random",
): Promise<string> {
  const { results } = await evaluate(world, agent, { outDir: tempDir() });
  return results.run_dir ?? "";
}

async function linesOf(run: string): Promise<EpisodeLine[]> {
  const lines: EpisodeLine[] = [];
  for await (const line of new RunDirectory(run).episodes()) lines.push(line);
  return lines;
}

/** Changes an episode's trajectory as text. */
async function tamper(run: string, key: string, change: (lines: string[]) => void) {
  const line = (await linesOf(run)).find(({ episode_key }) => episode_key === key);
  const file = join(run, line?.trajectory ?? "");
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
  change(lines);
  writeFileSync(file, gzipSync(`${lines.join("\n")}\n`));
  return file;
}

function edit<T>(file: string, change: (document: T) => object): void {
  const document = JSON.parse(readFileSync(file, "utf8")) as T;
  writeFileSync(file, JSON.stringify(change(document)));
}

/** Changes a line of episodes.jsonl. */
async function editLine(run: string, key: string, change: (line: EpisodeLine) => object) {
  const lines = (await linesOf(run)).map((line) =>
    line.episode_key === key ? change(line) : line,
  );
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(run, "episodes.jsonl"), text);
}

const KEY = "vln/tiny/a-d";

describe("a replay", () => {
  it("a replay equals the record, without dataset and agent", async () => {
    const world = tinyWorld();
    const run = await record(world, () => {
      let turns = 0;
      return { reset: () => {}, act: () => (turns++ % 3 === 0 ? "turn_left" : "move_forward") };
    });
    rmSync(join(world.dir, "episodes.jsonl"));
    const seen: number[] = [];
    const report = await replayRun(run, { onProgress: ({ done }) => seen.push(done) });
    expect(report).toEqual({
      format: "robot-eval-replay/1",
      run_id: run.split("/").at(-1),
      ...{ total: 4, replayed: 4, equal: 4 },
      ...{ different: [], errors: [], skipped: [], warnings: [] },
    });
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it("a replay does not apply simulated latency again", async () => {
    const world = tinyWorld({ evaluation: { simulated_latency: { steps: 3 } } });
    const run = await record(
      world,
      doing((step) => (step < 4 ? "turn_left" : "stop")),
    );
    expect((await linesOf(run))[0]?.steps).toBe(17);
    expect(await replayRun(run)).toMatchObject({ replayed: 4, equal: 4 });
  });

  it("a replay covers all recorded episodes, whatever the limit and order of the benchmark", async () => {
    const world = tinyWorld();
    const dataset = {
      vln: { type: "vln", data_path: join(world.dir, "episodes.jsonl"), limit: 3, shuffle: 4 },
    };
    const run = await record({ ...world, benchmark: { ...world.benchmark, dataset } });
    expect(await replayRun(run)).toMatchObject({ total: 3, equal: 3 });
  });

  it("a replay ends where the agent failed, at the first action or later", async () => {
    const world = tinyWorld();
    const run = await record(
      world,
      doing((step, { episodeId }) => {
        if (episodeId === "a-d") return "fly";
        if (step < 2 || episodeId === "c-e") return "turn_left";
        throw new Error("connection lost");
      }),
    );
    const ends = (await linesOf(run)).map(({ fault, steps }) => [fault, steps]);
    expect(ends).toContainEqual(["agent", 0]);
    expect(ends).toContainEqual(["agent", 2]);
    expect(await replayRun(run)).toMatchObject({ replayed: 4, equal: 4, different: [] });
  });

  it("a replay ends where the agent timed out", async () => {
    stopClock();
    const world = tinyWorld({
      episodes: [tinyEpisode("a", "d")],
      evaluation: { timeout: 5 },
    });
    const run = await record(
      world,
      doing((step) => (step < 3 ? "turn_left" : hang(5000))),
    );
    expect((await linesOf(run))[0]).toMatchObject({ end_reason: "timeout", outcome: "failure" });
    expect(await replayRun(run)).toMatchObject({ replayed: 1, equal: 1 });
  });

  it("a replay skips invalid episodes and reports them", async () => {
    const world = tinyWorld({ episodes: [tinyEpisode("a", "d"), tinyEpisode("a", "f")] });
    const run = await record(world);
    expect(await replayRun(run)).toMatchObject({
      ...{ total: 2, replayed: 1, equal: 1 },
      skipped: [
        { episode_key: "vln/tiny/a-f", repeat: 0, why: expect.stringMatching(/^invalid: /) },
      ],
    });
  });

  it("a replay takes graphs from another folder with --connectivity", async () => {
    const world = tinyWorld();
    const run = await record(world);
    const elsewhere = join(tempDir(), "graphs");
    cpSync(join(world.dir, "connectivity"), elsewhere, { recursive: true });
    rmSync(world.dir, { recursive: true });
    await expect(replayRun(run)).rejects.toMatchObject({
      code: "missing_graphs",
      message: expect.stringContaining("the task vln ran on navigation graphs"),
      hint: expect.stringContaining("--connectivity <folder>"),
    });
    expect(await replayRun(run, { connectivity: elsewhere })).toMatchObject({ equal: 4 });
  });

  it("a replay counts an episode whose graph is missing as an error, not as different", async () => {
    const world = tinyWorld();
    const run = await record(world);
    rmSync(join(world.dir, "connectivity", "tiny_connectivity.json"));
    const report = await replayRun(run);
    expect(report).toMatchObject({ replayed: 0, equal: 0, different: [] });
    expect(report.errors).toHaveLength(4);
    expect(report.errors[0]).toMatchObject({
      ...{ episode_key: KEY, repeat: 0 },
      why: expect.stringContaining("tiny_connectivity.json"),
    });
  });

  it("a replay warns of other versions", async () => {
    const run = await record(tinyWorld());
    edit<RunInfo>(join(run, "run.json"), (info) => ({
      ...info,
      versions: { ...info.versions, node: "18.0.0" },
    }));
    const { warnings } = await replayRun(run);
    expect(warnings).toEqual([
      `the run was made with node 18.0.0, this is ${process.versions.node}`,
    ]);
  });

  it("a replay can be aborted", async () => {
    const run = await record(tinyWorld());
    const stop = new AbortController();
    const report = await replayRun(run, { signal: stop.signal, onProgress: () => stop.abort() });
    expect(report.interrupted).toBe(true);
    expect(report.replayed).toBeLessThan(4);
    expect(report.equal).toBe(report.replayed);
  });
});

describe("a replay of one episode", () => {
  const repeated = () => record(tinyWorld({ evaluation: { repeats: 3 } }));

  it("a replay of one episode accepts a key or an id, with all repeats or one", async () => {
    const run = await repeated();
    expect(await replayRun(run)).toMatchObject({ total: 12, equal: 12 });
    for (const episode of [KEY, "a-d"]) {
      expect(await replayRun(run, { episode })).toMatchObject({ total: 3, equal: 3 });
      expect(await replayRun(run, { episode, repeat: 2 })).toMatchObject({ total: 1, equal: 1 });
      expect(await replayRun(run, { episode: `${episode}#1` })).toMatchObject({ equal: 1 });
    }
  });

  it("a replay of one episode suggests the nearest name for a wrong one", async () => {
    const run = await repeated();
    await expect(replayRun(run, { episode: "vln/tiny/a-b" })).rejects.toMatchObject({
      code: "unknown_episode",
      hint: expect.stringContaining(`did you mean "${KEY}"`),
    });
    await expect(replayRun(run, { episode: `${KEY}#7` })).rejects.toMatchObject({
      code: "unknown_episode",
      hint: "it has 0, 1, 2",
    });
  });
});

describe("a replay of a changed record", () => {
  it("a replay finds a changed digit in a state", async () => {
    const run = await record(tinyWorld(), "shortest-path");
    let digit = "";
    await tamper(run, KEY, (lines) => {
      const record = JSON.parse(lines[2] ?? "");
      digit = record.state.distance_to_goal;
      record.state.distance_to_goal += 1e-12;
      lines[2] = JSON.stringify(record);
    });
    const { equal, different } = await replayRun(run);
    expect(equal).toBe(3);
    expect(different).toEqual([
      {
        ...{ episode_key: KEY, repeat: 0, step: 1, field: "state.distance_to_goal" },
        ...{ recorded: digit + 1e-12, now: digit },
      },
    ]);
  });

  it("a replay finds a changed action", async () => {
    const run = await record(
      tinyWorld(),
      doing((step) => (step < 5 ? "turn_left" : "stop")),
    );
    await tamper(run, KEY, (lines) => {
      lines[4] = (lines[4] ?? "").replace("turn_left", "turn_right");
    });
    const { different } = await replayRun(run);
    expect(different).toMatchObject([{ episode_key: KEY, step: 3, field: "state.rotation[1]" }]);
  });

  it("a replay finds removed steps", async () => {
    const run = await record(
      tinyWorld(),
      doing((step) => (step < 5 ? "turn_left" : "stop")),
    );
    await tamper(run, KEY, (lines) => lines.splice(-2));
    const { different } = await replayRun(run);
    expect(different).toMatchObject([{ step: 5, field: "step", recorded: null, now: 5 }]);
  });

  it("a replay finds a changed goal", async () => {
    const run = await record(tinyWorld(), "shortest-path");
    await tamper(run, KEY, (lines) => {
      lines[0] = (lines[0] ?? "").replaceAll('"node":"d"', '"node":"c"');
    });
    const { different } = await replayRun(run);
    expect(different).toMatchObject([{ step: 0, field: "state.distance_to_goal" }]);
  });

  it.each([
    ["metrics.spl", (line: EpisodeLine) => ({ ...line, metrics: { ...line.metrics, spl: 0.5 } })],
    ["outcome", (line: EpisodeLine) => ({ ...line, outcome: "failure" })],
    ["seed", (line: EpisodeLine) => ({ ...line, seed: 1 })],
    ["initial_state_hash", (line: EpisodeLine) => ({ ...line, initial_state_hash: "0" })],
    ["final_state_hash", (line: EpisodeLine) => ({ ...line, final_state_hash: "0" })],
  ])("a replay finds a line with an edited %s", async (field, change) => {
    const run = await record(tinyWorld(), "shortest-path");
    await editLine(run, KEY, change);
    const { different } = await replayRun(run);
    expect(different).toMatchObject([{ episode_key: KEY, step: null, field }]);
  });

  it("a replay finds a damaged file, and continues with the others", async () => {
    const run = await record(tinyWorld());
    const [cut, gone, swapped] = (await linesOf(run)).map(({ trajectory }) =>
      join(run, trajectory ?? ""),
    ) as [string, string, string];
    cpSync(cut, swapped);
    writeFileSync(cut, readFileSync(cut).subarray(0, 100));
    rmSync(gone);
    const { replayed, equal, different } = await replayRun(run);
    expect({ replayed, equal }).toEqual({ replayed: 4, equal: 1 });
    expect(different.map(({ field }) => field)).toEqual(Array(3).fill("trajectory"));
    const why = different.map((one) => one.why).join("\n");
    for (const file of [cut, gone, swapped]) expect(why).toContain(file);
  });
});

describe("a replay without recorded steps", () => {
  it("a replay rejects a run without trajectories", async () => {
    const world = tinyWorld({ sections: { output: { save_trajectories: false } } });
    await expect(replayRun(await record(world))).rejects.toMatchObject({
      code: "nothing_to_replay",
      message: expect.stringContaining("no trajectory was saved"),
    });
  });

  it("a replay rejects a scored run and names the original run", async () => {
    const run = await record(tinyWorld());
    const scored = await scoreRun({
      ...{ path: run, outDir: tempDir(), registries: createRegistries() },
    });
    await expect(replayRun(scored.run_dir ?? "")).rejects.toMatchObject({
      code: "not_simulated",
      hint: expect.stringContaining(run),
    });
  });

  it("a replay rejects a folder without a run", async () => {
    await expect(replayRun("/nowhere/at-all")).rejects.toMatchObject({ code: "no_run" });
  });
});

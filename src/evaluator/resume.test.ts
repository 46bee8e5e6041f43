import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { linesOf } from "../../test/support/cli.js";
import { contentOf, setAsideOf, summaryOf, timeless } from "../../test/support/run-content.js";
import {
  evaluate,
  type TinyWorld,
  tempDir,
  tinyEpisode,
  tinyWorld,
} from "../../test/support/tiny-world.js";
import { DataError } from "../core/errors.js";
import type { Agent, AgentEpisode } from "../core/interfaces/agent.js";
import type { EpisodeLine, RunInfo } from "../core/interfaces/result.js";
import { createRegistries } from "../registry/registries.js";
import { RunLock } from "../runs/directory/run-lock.js";
import type { EvaluatorOptions } from "./evaluator.js";
import { type ResumeOptions, resumeRun } from "./resume.js";

/** A world and an agent that may be out of order. */
class Bench {
  readonly registries = createRegistries();
  readonly world: TinyWorld;
  /** The episodes that it was asked to begin, with their repeats. */
  readonly begun: string[] = [];
  /** Episodes that it does not begin. */
  refuses: (episode: AgentEpisode) => boolean = () => false;
  /** Whether the agent can be created. */
  isThere = true;
  #onBegin = () => {};

  constructor(options: Parameters<typeof tinyWorld>[0] = {}) {
    this.world = tinyWorld(options);
    // `evaluate` registers an agent under this name too, in registries of its own.
    this.registries.agents.register("of-bench", {
      description: "of a test",
      create: (made) => {
        if (!this.isThere) throw new DataError("no_agent", "nobody listens");
        return this.#agent(this.registries.agents.get("random").create(made) as Agent);
      },
    });
  }

  /** Begins a run that is interrupted in its n-th episode, which is its last then. Gives its directory. */
  async run(n?: number, options: EvaluatorOptions = {}): Promise<string> {
    const { results } = await evaluate(this.world, "of-bench", {
      ...options,
      registries: this.registries,
      outDir: join(this.world.dir, "runs"),
      signal: this.#interruptedIn(n),
    });
    return results.run_dir ?? "";
  }

  resume(path: string, { in: n, ...options }: ResumeOptions & { readonly in?: number } = {}) {
    const signal = this.#interruptedIn(n);
    return resumeRun(path, { registries: this.registries, signal, ...options });
  }

  #interruptedIn(n = Number.POSITIVE_INFINITY): AbortSignal {
    const stop = new AbortController();
    let begun = 0;
    this.#onBegin = () => {
      if (++begun === n) stop.abort();
    };
    return stop.signal;
  }

  #agent(inner: Agent): Agent {
    return {
      reset: (episode) => {
        this.begun.push(`${episode.episodeId} ${episode.repeat}`);
        this.#onBegin();
        if (this.refuses(episode)) throw new Error("out of order");
        return inner.reset(episode);
      },
      act: (observation) => inner.act(observation),
    };
  }
}

function edit(path: string, change: (info: RunInfo) => unknown): void {
  const file = join(path, "run.json");
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, "utf8")))));
}

const infoOf = (path: string): RunInfo => JSON.parse(readFileSync(join(path, "run.json"), "utf8"));

describe("a run that is resumed", () => {
  it("a resumed run equals an uninterrupted one and runs no episode twice", async () => {
    const bench = new Bench();
    const whole = await bench.run();
    bench.begun.length = 0;
    const path = await bench.run(2);
    expect(infoOf(path).status).toBe("cancelled");
    expect(await linesOf(path)).toHaveLength(2);
    const results = await bench.resume(path);
    expect(results).toMatchObject({ status: "done", run_dir: path, episodes: { total: 4 } });
    expect(await contentOf(path)).toEqual(await contentOf(whole));
    expect([...bench.begun].sort()).toEqual(["a-d 0", "c-e 0", "d-a 0", "e-c 0"]);
    expect(infoOf(path)).toMatchObject({
      status: "done",
      resumed: [{ done: 2, agent: "of-bench", versions: { robot_eval: expect.any(String) } }],
    });
  });

  it("the limit of a run by an earlier version is the first episodes when it is resumed", async () => {
    const bench = new Bench();
    const path = await bench.run(1, { first: 2 });
    const [line] = await linesOf(path);
    edit(path, ({ selection: { first }, ...info }) => ({ ...info, selection: { limit: first } }));
    const results = await bench.resume(path);
    expect(results.episodes.total).toBe(2);
    const keys = (await linesOf(path)).map(({ episode_key }) => episode_key);
    expect(keys.sort()).toEqual(["vln/tiny/a-d", "vln/tiny/c-e"]);
    expect(keys).toContain(line?.episode_key);
  });

  it("a run with a limit draws the same sample when it is resumed", async () => {
    const bench = new Bench();
    const whole = await bench.run(undefined, { limit: 3, seed: 5 });
    const path = await bench.run(1, { limit: 3, seed: 5 });
    const results = await bench.resume(path);
    expect(results).toMatchObject({ selected: { episodes: 3, of: 4 }, episodes: { total: 3 } });
    expect(await contentOf(path)).toEqual(await contentOf(whole));
  });

  it("resume reports how many episodes are done", async () => {
    const bench = new Bench();
    const path = await bench.run(3);
    const told: unknown[] = [];
    await bench.resume(path, {
      onEvent: (event) => {
        const { type, done, total } = event;
        told.push({ type, done, total });
      },
    });
    expect(told).toEqual([
      { type: "started", done: 3, total: 4 },
      { type: "episode", done: 4, total: 4 },
    ]);
  });

  it.each([
    ["without remaining episodes", "running", false],
    ["whose summary was written before its status", "running", true],
    ["that is done", "done", true],
  ] as const)(
    "the resumption of a run %s runs nothing and needs no agent",
    async (_, status, hasSummary) => {
      const bench = new Bench();
      const path = await bench.run();
      const content = await contentOf(path);
      edit(path, (info) => ({ ...info, status, finished_at: null }));
      if (!hasSummary) rmSync(join(path, "summary.json"));
      bench.isThere = false;
      bench.begun.length = 0;
      expect(await bench.resume(path)).toMatchObject({ status: "done" });
      expect(bench.begun).toEqual([]);
      expect(await contentOf(path)).toEqual(content);
    },
  );

  it("a run that was moved to another folder can be resumed", async () => {
    const bench = new Bench();
    const whole = await bench.run();
    const path = await bench.run(1);
    const moved = join(tempDir(), "elsewhere");
    renameSync(path, moved);
    expect(await bench.resume(moved)).toMatchObject({ status: "done", run_dir: moved });
    expect(await contentOf(moved)).toEqual(await contentOf(whole));
    expect(existsSync(path)).toBe(false);
  });

  it("a run that is resumed records each repeat of each episode once after resuming", async () => {
    const bench = new Bench({ evaluation: { repeats: 3 } });
    const whole = await bench.run();
    bench.begun.length = 0;
    const path = await bench.run(5);
    await bench.resume(path);
    expect(new Set(bench.begun).size).toBe(12);
    expect(bench.begun).toHaveLength(12);
    expect(await contentOf(path)).toEqual(await contentOf(whole));
  });

  it("a run that was interrupted again can be resumed", async () => {
    const bench = new Bench();
    const whole = await bench.run();
    const path = await bench.run(1);
    const cut = await bench.resume(path, { in: 1 });
    expect(cut).toMatchObject({ status: "cancelled", episodes: { total: 2 } });
    await bench.resume(path);
    expect(await contentOf(path)).toEqual(await contentOf(whole));
    expect(infoOf(path).resumed?.map(({ done }) => done)).toEqual([1, 2]);
  });
});

describe("invalid episodes", () => {
  const refusesOne = ({ episodeId }: AgentEpisode) => episodeId === "c-e";

  it("resume keeps invalid episodes unless retryInvalid is set", async () => {
    const bench = new Bench();
    bench.refuses = refusesOne;
    const path = await bench.run();
    bench.refuses = () => false;
    expect(await bench.resume(path)).toMatchObject({ episodes: { invalid: 1 } });
    expect(await setAsideOf(path)).toEqual([]);
  });

  it("a retried episode equals a first-try one except for its attempt number", async () => {
    const bench = new Bench();
    const whole = await bench.run();
    bench.refuses = refusesOne;
    const path = await bench.run();
    bench.refuses = () => false;
    bench.begun.length = 0;
    await bench.resume(path, { retryInvalid: true });
    expect(bench.begun).toEqual(["c-e 0"]);
    const expected = (await contentOf(whole)).lines.map((line) =>
      line.episode_id === "c-e" ? { ...line, attempt: 2 } : line,
    );
    expect((await contentOf(path)).lines).toEqual(expected);
    expect(summaryOf(path)).toEqual(summaryOf(whole));
    expect(await setAsideOf(path)).toMatchObject([
      { episode_id: "c-e", attempt: 1, outcome: "invalid", fault: "agent", why: "tried_again" },
    ]);
  });

  it("resume runs an invalid episode at most three times over all resumptions", async () => {
    const bench = new Bench();
    bench.refuses = refusesOne;
    const path = await bench.run();
    for (const times of [2, 3, 3, 3]) {
      await bench.resume(path, { retryInvalid: true });
      const lines = await linesOf(path);
      expect(lines).toHaveLength(4);
      expect(lines.find(({ outcome }) => outcome === "invalid")?.attempt).toBe(times);
      expect(bench.begun.filter((name) => name === "c-e 0")).toHaveLength(times);
    }
    expect((await setAsideOf(path)).map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it("resume keeps the attempt number of an episode if the run is interrupted before its retry", async () => {
    const bench = new Bench({ evaluation: { retry_invalid: 1 } });
    const refused = ({ episodeId }: AgentEpisode) => episodeId === "a-d";
    bench.refuses = refused;
    // It is put behind the others, and then the run is interrupted.
    const path = await bench.run(1);
    expect(await setAsideOf(path)).toMatchObject([{ episode_id: "a-d", attempt: 1 }]);
    expect((await linesOf(path)).map(({ episode_id }) => episode_id)).not.toContain("a-d");
    bench.refuses = () => false;
    await bench.resume(path);
    const line = (await linesOf(path)).find(({ episode_id }) => episode_id === "a-d");
    expect(line).toMatchObject({ attempt: 2 });
    expect(line?.outcome).not.toBe("invalid");
  });

  it("resume retries an episode with a data fault, since the data may have been repaired", async () => {
    const bench = new Bench({ episodes: [tinyEpisode("a", "d"), tinyEpisode("c", "e")] });
    const graph = join(bench.world.dir, "connectivity", "tiny_connectivity.json");
    renameSync(graph, `${graph}.gone`);
    const path = await bench.run();
    expect((await linesOf(path)).map(({ fault }) => fault)).toEqual(["data", "data"]);
    renameSync(`${graph}.gone`, graph);
    await bench.resume(path, { retryInvalid: true });
    const lines = await linesOf(path);
    expect(lines.map(({ fault, attempt }) => [fault, attempt])).toEqual([
      [undefined, 2],
      [undefined, 2],
    ]);
  });

  it("resume keeps an invalid episode if the agent still does not answer", async () => {
    const bench = new Bench();
    bench.refuses = refusesOne;
    const path = await bench.run();
    const content = await contentOf(path);
    const info = infoOf(path);
    bench.isThere = false;
    await expect(bench.resume(path, { retryInvalid: true })).rejects.toThrow("nobody listens");
    expect(await contentOf(path)).toEqual(content);
    expect(infoOf(path)).toEqual(info);
    expect(await setAsideOf(path)).toEqual([]);
    expect(existsSync(join(path, "run.lock"))).toBe(false);
  });

  it("resume retries an episode if the process died while setting its line aside", async () => {
    const bench = new Bench();
    bench.refuses = refusesOne;
    const path = await bench.run();
    bench.refuses = () => false;
    const line = (await linesOf(path)).find(({ outcome }) => outcome === "invalid");
    const aside = JSON.stringify({ ...line, trajectory: null, why: "tried_again" });
    writeFileSync(join(path, "set_aside.jsonl"), `${aside}\n`);
    await bench.resume(path);
    const lines = await linesOf(path);
    expect(lines.map(({ episode_id, attempt }) => [episode_id, attempt]).sort()).toEqual([
      ["a-d", 1],
      ["c-e", 2],
      ["d-a", 1],
      ["e-c", 1],
    ]);
    expect(await setAsideOf(path)).toHaveLength(1);
  });

  it("resume removes the trajectory of a superseded attempt", async () => {
    const bench = new Bench();
    bench.refuses = refusesOne;
    const path = await bench.run();
    const [before] = (await linesOf(path)).filter(({ outcome }) => outcome === "invalid");
    const file = join(path, before?.trajectory ?? "");
    expect(existsSync(file)).toBe(true);
    const first = readFileSync(file);
    bench.refuses = () => false;
    await bench.resume(path, { retryInvalid: true });
    const after = (await linesOf(path)).find(({ attempt }) => attempt === 2);
    expect(after?.trajectory).toBe(before?.trajectory);
    expect(readFileSync(file).equals(first)).toBe(false);
    expect((await setAsideOf(path)).map(({ trajectory }) => trajectory)).toEqual([null]);
  });
});

describe("resume", () => {
  /** Resuming is refused with this, and leaves everything as it was. */
  async function refused(
    bench: Bench,
    path: string,
    options: ResumeOptions = {},
  ): Promise<Partial<DataError>> {
    const files = ["run.json", "episodes.jsonl", "benchmark.yaml"];
    const read = () => files.map((name) => readFileSync(join(path, name), "utf8"));
    const before = read();
    const error = await bench.resume(path, options).catch((e: unknown) => e as DataError);
    expect(error).toMatchObject({ exitCode: 2 });
    expect(read()).toEqual(before);
    expect(existsSync(join(path, "run.lock"))).toBe(false);
    return error as DataError;
  }

  it("resume rejects a changed config in run.json", async () => {
    const bench = new Bench();
    const path = await bench.run(2);
    edit(path, (info) => ({
      ...info,
      config: { ...info.config, evaluation: { ...(info.config.evaluation as object), timeout: 9 } },
    }));
    expect(await refused(bench, path)).toMatchObject({
      code: "config_changed",
      message: "differs from the run's configuration: evaluation.timeout (9, now 20)",
      where: join(path, "benchmark.yaml"),
    });
  });

  it("resume rejects a changed benchmark file in the run directory", async () => {
    const bench = new Bench();
    const path = await bench.run(2);
    const file = join(path, "benchmark.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("max_steps: 40", "max_steps: 41").replace("- spl", "- ndtw"));
    const { message } = await refused(bench, path);
    expect(message).toContain("evaluation.max_steps (40, now 41)");
    expect(message).toContain("vln_task.config.metrics");
  });

  it("resume rejects a different benchmark given with --benchmark", async () => {
    const bench = new Bench();
    const path = await bench.run(2);
    const other = join(tempDir(), "other.yaml");
    const { evaluation, ...rest } = bench.world.benchmark;
    const text = (seed: number) =>
      stringify({ ...rest, evaluation: { ...(evaluation as object), timeout: seed } });
    writeFileSync(other, text(21));
    expect(await refused(bench, path, { benchmark: other })).toMatchObject({
      code: "config_changed",
      message: expect.stringContaining("evaluation.timeout (20, now 21)"),
      where: other,
      hint: expect.stringContaining("start a new run"),
    });
    writeFileSync(other, text(20));
    expect(await bench.resume(path, { benchmark: other })).toMatchObject({ status: "done" });
  });

  it("resume rejects a different setting given with --set", async () => {
    const bench = new Bench();
    const path = await bench.run(2);
    const set = ["evaluation.max_steps=39", "vln_task.config.success_distance=1"];
    const { message } = await refused(bench, path, { set });
    expect(message).toContain("evaluation.max_steps (40, now 39)");
    expect(message).toContain("vln_task.config.success_distance");
    const same = ["evaluation.max_steps=40"];
    expect(await bench.resume(path, { set: same })).toMatchObject({ status: "done" });
  });

  it("resume shows the first of many changed settings with their values", async () => {
    const bench = new Bench();
    const path = await bench.run(2);
    const names = [
      "max_steps",
      "timeout",
      "success_distance",
      "repeats",
      "retry_invalid",
      "give_up_after",
    ];
    const set = names.map((name) => `evaluation.${name}=2`);
    const { message } = await refused(bench, path, { set });
    for (const name of names) expect(message).toContain(`evaluation.${name}`);
    expect(message?.match(/now/g)).toHaveLength(5);
  });

  it("resume rejects another agent", async () => {
    const bench = new Bench();
    const path = await bench.run(2);
    expect(await refused(bench, path, { agent: "random" })).toMatchObject({
      code: "config_changed",
      message: expect.stringContaining('agent ("of-bench", now "random")'),
      where: "--agent",
    });
    expect(await bench.resume(path, { agent: "of-bench" })).toMatchObject({ status: "done" });
  });

  it("resume rejects a changed dataset", async () => {
    const bench = new Bench();
    const path = await bench.run(2);
    const file = join(bench.world.dir, "episodes.jsonl");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("Go from c to e", "Go from c to e, slowly"));
    expect(await refused(bench, path)).toMatchObject({
      code: "data_changed",
      message: expect.stringContaining("(4 then, 4 now)"),
      where: file,
    });
    // The order of its lines does not matter.
    writeFileSync(file, `${text.trim().split("\n").reverse().join("\n")}\n`);
    expect(await bench.resume(path)).toMatchObject({ status: "done" });
  });

  it("resume rejects another robot-eval version, and warns of another Node.js version", async () => {
    const bench = new Bench();
    const path = await bench.run(2);
    const { versions } = infoOf(path);
    edit(path, (info) => ({ ...info, versions: { ...versions, robot_eval: "0.0.1" } }));
    expect(await refused(bench, path)).toMatchObject({
      code: "other_version",
      message: expect.stringContaining("started with robot-eval 0.0.1"),
    });
    edit(path, (info) => ({ ...info, versions: { ...versions, node: "v18.0.0" } }));
    await bench.resume(path);
    expect(infoOf(path).warnings).toEqual([expect.stringContaining("node v18.0.0 and ")]);
  });

  it.each([
    ["scored", { kind: "score" }],
    ["merged", { merged: ["one", "two"] }],
  ])("resume rejects a run that was %s, which has nothing to resume", async (_, change) => {
    const bench = new Bench();
    const path = await bench.run(2);
    edit(path, (info) => ({ ...info, ...change }));
    expect(await refused(bench, path)).toMatchObject({ code: "not_resumable", where: path });
  });

  it.each([
    [
      "of an episode that the benchmark does not have",
      (line: EpisodeLine) => ({ ...line, episode_key: "vln/x/9" }),
      "is not an episode of",
    ],
    ["that is recorded already", (line: EpisodeLine) => line, "is recorded twice"],
    [
      "of a repeat that the benchmark does not have",
      (line: EpisodeLine) => ({ ...line, repeat: 1 }),
      "(repeat 1) is not an episode of",
    ],
  ])("resume rejects a line %s", async (_, change, words) => {
    const bench = new Bench();
    const path = await bench.run(2);
    const file = join(path, "episodes.jsonl");
    const [line] = await linesOf(path);
    if (!line) throw new Error("no line");
    writeFileSync(file, `${readFileSync(file, "utf8")}${JSON.stringify(change(line))}\n`);
    expect(await refused(bench, path)).toMatchObject({
      code: "damaged_line",
      message: expect.stringContaining(words),
      where: file,
    });
  });

  it("resume rejects a run that another process is writing", async () => {
    const bench = new Bench();
    const path = await bench.run(2);
    const lock = await RunLock.take(path);
    await expect(bench.resume(path)).rejects.toMatchObject({ code: "run_in_use" });
    await lock.release();
    expect(await bench.resume(path)).toMatchObject({ status: "done" });
  });
});

describe("a copy of a run", () => {
  it("a copy of a run is resumed independently of the original", async () => {
    const bench = new Bench();
    const path = await bench.run(2);
    const copy = join(tempDir(), "copy");
    cpSync(path, copy, { recursive: true });
    await bench.resume(path);
    await bench.resume(copy);
    const sorted = async (run: string) =>
      (await linesOf(run)).map(timeless).sort((a, b) => (a.episode_key < b.episode_key ? -1 : 1));
    expect(await sorted(copy)).toEqual(await sorted(path));
  });
});

import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  episodeDict,
  evaluate,
  linesOf,
  makeWorld,
  type Node,
  temporaryFolder,
  type World,
} from "../../../test/support/cli.js";
import type { EpisodeLine, RunInfo, RunResults } from "../../core/interfaces/result.js";
import { createRegistries } from "../../registry/registries.js";
import { RunDirectory } from "../directory/run-directory.js";
import { type MergeOptions, mergeRuns } from "./merge-runs.js";

const NODES: readonly Node[] = ["a", "b", "c", "d"];

/** Episodes between all nodes of two scenes, and three with an unreachable goal, which are invalid. */
function manyEpisodes() {
  return NODES.flatMap((from) => [
    ...NODES.filter((to) => to !== from).flatMap((to) =>
      ["hall", "yard"].map((scene) => episodeDict(`${from}-${to}`, from, to, scene)),
    ),
    ...(from === "a" ? [] : [episodeDict(`${from}-x`, from, "x")]),
  ]);
}

type RunOptions = Parameters<typeof evaluate>[1];

function shards(world: World, count: number, options: RunOptions = {}): Promise<string[]> {
  const all = Array.from({ length: count }, async (_, i) => {
    const shard = `${i + 1}/${count}`;
    const { run_dir } = await evaluate(world, { agent: "random", ...options, shard });
    return run_dir ?? "";
  });
  return Promise.all(all);
}

const made = new Map<string, Promise<string[]>>();

/** Writable copies of the shard runs. */
async function copies(count: number, options: RunOptions = {}): Promise<string[]> {
  const key = JSON.stringify([count, options]);
  const known = made.get(key) ?? shards(makeWorld(manyEpisodes()), count, options);
  made.set(key, known);
  const folder = temporaryFolder();
  return (await known).map((path) => {
    const copy = join(folder, basename(path));
    cpSync(path, copy, { recursive: true });
    return copy;
  });
}

function merge(paths: readonly string[], options: Partial<MergeOptions> = {}) {
  return mergeRuns({
    paths,
    outDir: temporaryFolder(),
    registries: createRegistries(),
    ...options,
  });
}

/** Returns the error of a failing merge after checking that it left no files. */
async function mergeError(paths: readonly string[], options: Partial<MergeOptions> = {}) {
  const outDir = temporaryFolder();
  const error = await merge(paths, { outDir, ...options }).then(
    () => expect.fail("the merge succeeded"),
    (e: unknown) => e,
  );
  expect(readdirSync(outDir)).toEqual([]);
  return error;
}

/** The content of a run without times, for comparison with an unsharded run. */
async function content({ run_dir }: RunResults) {
  const path = run_dir ?? "";
  const folder = join(path, "trajectories");
  const { run_id, timings, ...summary } = await new RunDirectory(path).summary();
  return {
    lines: (await linesOf(path)).map(timeless).sort(byName),
    steps: timings.steps,
    // As text, so that key order is compared too.
    summary: JSON.stringify(summary),
    trajectories: readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name)).toString("base64")]),
  };
}

function timeless({ wall_ms, sim_ms, agent_ms, agent_latency_ms, ...rest }: EpisodeLine) {
  return rest;
}

function byName(a: Pick<EpisodeLine, "episode_key" | "repeat">, b: typeof a): number {
  if (a.episode_key === b.episode_key) return a.repeat - b.repeat;
  return a.episode_key < b.episode_key ? -1 : 1;
}

function change(run: string, what: (info: RunInfo) => object): void {
  const file = join(run, "run.json");
  const info = JSON.parse(readFileSync(file, "utf8")) as RunInfo;
  writeFileSync(file, JSON.stringify({ ...info, ...what(info) }));
}

describe("mergeRuns", () => {
  it.each([1, 2, 3])("mergeRuns reproduces the unsharded run from %i shards", async (count) => {
    const world = makeWorld(manyEpisodes());
    const whole = await evaluate(world, { agent: "random" });
    const merged = await merge(await shards(world, count));
    expect(whole.episodes).toMatchObject({ total: 27, invalid: 3 });
    expect(await content(merged)).toEqual(await content(whole));
  });

  it("mergeRuns reproduces an unsharded run with repeats", async () => {
    const world = makeWorld(manyEpisodes());
    const set = ["evaluation.repeats=3"];
    const whole = await evaluate(world, { agent: "random", set });
    const merged = await merge(await shards(world, 2, { set }));
    expect(merged).toMatchObject({ repeats: 3, episodes: { total: 81 } });
    expect(await content(merged)).toEqual(await content(whole));
  });

  it("mergeRuns reproduces an unsharded run of a selection", async () => {
    const world = makeWorld(manyEpisodes());
    const options = { filter: "scene=hall", limit: 9 };
    const whole = await evaluate(world, { agent: "random", ...options });
    const merged = await merge(await shards(world, 2, options));
    expect(await content(merged)).toEqual(await content(whole));
    const info = await new RunDirectory(merged.run_dir ?? "").info();
    expect(info.selection).toEqual(options);
  });

  it("mergeRuns sorts lines by key and repeat", async () => {
    const set = ["evaluation.repeats=2"];
    const merged = await merge(await copies(2, { set }));
    const lines = await linesOf(merged.run_dir);
    expect(lines).toEqual([...lines].sort(byName));
  });

  it("mergeRuns lists the merged runs in run.json", async () => {
    const paths = await copies(2);
    const parts = await Promise.all(paths.map((path) => new RunDirectory(path).info()));
    const merged = await merge(paths);
    const info = await new RunDirectory(merged.run_dir ?? "").info();
    expect(info).toMatchObject({
      run_id: basename(merged.run_dir ?? ""),
      kind: "run",
      status: "done",
      selection: {},
      merged: parts.map(({ run_id }) => run_id),
      started_at: parts.map(({ started_at }) => started_at).sort()[0],
      finished_at: parts.map(({ finished_at }) => finished_at).sort()[1],
      data: parts[0]?.data,
      config: parts[0]?.config,
      benchmark: parts[0]?.benchmark,
    });
    const file = (run: string) => readFileSync(join(run, "benchmark.yaml"), "utf8");
    expect(file(merged.run_dir ?? "")).toBe(file(paths[0] ?? ""));
  });

  it("mergeRuns needs neither datasets nor scenes", async () => {
    const world = makeWorld(manyEpisodes());
    const set = [`dataset.vln.connectivity=${join(world.root, "episodes", "connectivity")}`];
    const paths = await shards(world, 2, { set });
    rmSync(join(world.root, "episodes"), { recursive: true });
    expect(await merge(paths)).toMatchObject({ status: "done", episodes: { total: 27 } });
  });

  it("mergeRuns hard-links or copies trajectory files", async () => {
    const paths = await copies(2);
    const merged = await merge(paths, { outDir: join(paths[0] ?? "", "..") });
    const name = readdirSync(join(paths[0] ?? "", "trajectories"))[0] ?? "";
    const inode = (run: string) => statSync(join(run, "trajectories", name)).ino;
    expect(inode(merged.run_dir ?? "")).toBe(inode(paths[0] ?? ""));
  });

  it("mergeRuns copies videos, set-aside lines and logged faults", async () => {
    const paths = await copies(2);
    const [first = ""] = paths;
    const [line, ...rest] = await linesOf(first);
    mkdirSync(join(first, "videos"));
    writeFileSync(join(first, "videos", "film.webp"), "a film");
    const texts = [{ ...line, attempt: 2, video: "videos/film.webp" }, ...rest];
    writeFileSync(
      join(first, "episodes.jsonl"),
      `${texts.map((t) => JSON.stringify(t)).join("\n")}\n`,
    );
    writeFileSync(
      join(first, "set_aside.jsonl"),
      `${JSON.stringify({ ...line, outcome: "invalid", why: "tried_again" })}\n`,
    );
    const merged = await merge(paths);
    const kept = (await linesOf(merged.run_dir)).find(({ video }) => video !== undefined);
    expect(kept?.episode_key).toBe(line?.episode_key);
    const read = (name: string) => readFileSync(join(merged.run_dir ?? "", name), "utf8");
    expect(read(kept?.video ?? "")).toBe("a film");
    expect(JSON.parse(read("set_aside.jsonl"))).toMatchObject({
      episode_key: line?.episode_key,
      outcome: "invalid",
      trajectory: null,
      why: "tried_again",
    });
    const log = read("log.jsonl").trimEnd().split("\n");
    const events = log.map((text) => JSON.parse(text) as { event: string });
    expect(events.filter(({ event }) => event === "run_merged")).toHaveLength(2);
    expect(events.filter(({ event }) => event === "episode_fault")).toHaveLength(3);
  });

  it("mergeRuns never writes outside the run directory, whatever paths the lines contain", async () => {
    const paths = await copies(2);
    const [first = ""] = paths;
    const [line, ...rest] = await linesOf(first);
    const astray = { ...line, trajectory: `../${basename(first)}/${line?.trajectory}` };
    const texts = [astray, ...rest].map((one) => JSON.stringify(one));
    writeFileSync(join(first, "episodes.jsonl"), `${texts.join("\n")}\n`);
    await expect(merge(paths)).rejects.toMatchObject({ code: "damaged_line" });
  });

  it("mergeRuns keeps warnings, and names the runs of warnings that not all share", async () => {
    const paths = await copies(2);
    change(paths[0] ?? "", () => ({ warnings: ["both", "one"] }));
    change(paths[1] ?? "", ({ versions }) => ({
      warnings: ["both"],
      versions: { ...versions, node: "99.0.0" },
    }));
    const { warnings } = await merge(paths);
    expect(warnings).toEqual([
      "both",
      "shard 1/2: one",
      expect.stringMatching(/^the shards were run with different versions: node .* and 99\.0\.0$/),
    ]);
  });

  it("mergeRuns uses the given run id", async () => {
    const outDir = temporaryFolder();
    const paths = await copies(2);
    const merged = await merge(paths, { outDir, runId: "all" });
    expect(merged).toMatchObject({ run_id: "all", run_dir: join(outDir, "all") });
    await expect(merge(paths, { outDir, runId: "all" })).rejects.toMatchObject({
      code: "run_exists",
      where: join(outDir, "all"),
    });
    expect(readdirSync(outDir)).toEqual(["all"]);
  });
});

describe("mergeRuns with policy servers at different addresses", () => {
  async function atServers(...agents: readonly string[]): Promise<string[]> {
    const paths = await copies(agents.length);
    for (const [i, path] of paths.entries()) {
      change(path, ({ config }) => ({ agent: agents[i], config: { ...config, agent: agents[i] } }));
    }
    return paths;
  }

  it("mergeRuns merges runs with policy servers at different addresses when --agent names the policy", async () => {
    const paths = await atServers("ws://gpu1:8001", "ws://gpu2:8002");
    expect(await mergeError(paths)).toMatchObject({
      code: "other_agent",
      hint: expect.stringContaining("--agent"),
    });
    const merged = await merge(paths, { agent: "ws://my-policy" });
    expect(merged.agent).toBe("ws://my-policy");
    expect(merged.warnings).toEqual([
      "ws://my-policy is the name given to the policies ws://gpu1:8001, ws://gpu2:8002",
    ]);
  });

  it("mergeRuns rejects servers with different protocols", async () => {
    const paths = await atServers("ws://gpu1:8001", "openpi+ws://gpu2:8002");
    const error = await mergeError(paths, { agent: "ws://my-policy" });
    expect(error).toMatchObject({ code: "other_agent" });
  });

  it("mergeRuns rejects --agent for an agent that is not a policy server", async () => {
    const error = await mergeError(await atServers("random", "random"), {
      agent: "ws://my-policy",
    });
    expect(error).toMatchObject({ code: "bad_agent", where: "--agent" });
  });
});

describe("mergeRuns with missing results", () => {
  it("mergeRuns rejects missing shards and names them and the number of episodes", async () => {
    const [, second = "", third = ""] = await copies(3);
    expect(await mergeError([second, third])).toMatchObject({
      code: "incomplete",
      message: expect.stringMatching(/missing shards: 1\/3; vln has \d+ of 27 results/),
      hint: expect.stringContaining("--partial"),
    });
  });

  it("mergeRuns merges an incomplete set with --partial and adds a warning", async () => {
    const paths = (await copies(3)).slice(1);
    const merged = await merge(paths, { partial: true });
    expect(merged).toMatchObject({
      status: "cancelled",
      missing: ["missing shards: 1/3", expect.stringMatching(/^vln has \d+ of 27 results$/)],
    });
    const info = await new RunDirectory(merged.run_dir ?? "").info();
    expect(info.status).toBe("cancelled");
    expect(info.warnings).toEqual(merged.missing.map((text) => `merged in part: ${text}`));
  });

  it("mergeRuns rejects a run that was interrupted", async () => {
    const paths = await copies(2);
    const file = join(paths[1] ?? "", "episodes.jsonl");
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    writeFileSync(file, `${lines.slice(1).join("\n")}\n`);
    change(paths[1] ?? "", () => ({ status: "running", finished_at: null }));
    rmSync(join(paths[1] ?? "", "summary.json"));
    expect(await mergeError(paths)).toMatchObject({
      code: "incomplete",
      message: expect.stringMatching(/shard 2\/2 is not done.*running.*vln has 26 of 27 results/),
    });
    expect(await merge(paths, { partial: true })).toMatchObject({ episodes: { total: 26 } });
  });

  it("mergeRuns does not require a shard that has no episodes", async () => {
    const world = makeWorld([episodeDict("1", "a", "d"), episodeDict("2", "a", "c")]);
    const made: string[] = [];
    for (const i of [1, 2, 3, 4]) {
      const run = await evaluate(world, { shard: `${i}/4` }).catch((error: unknown) => {
        expect(error).toMatchObject({ code: "no_episodes" });
        return undefined;
      });
      if (run?.run_dir) made.push(run.run_dir);
    }
    expect(made.length).toBeLessThan(4);
    expect(await merge(made)).toMatchObject({ status: "done", episodes: { total: 2 } });
  });

  it("mergeRuns merges runs of different filters only with --partial", async () => {
    const world = makeWorld(manyEpisodes());
    const paths: string[] = [];
    for (const scene of ["hall", "yard"]) {
      const { run_dir } = await evaluate(world, { agent: "random", filter: `scene=${scene}` });
      paths.push(run_dir ?? "");
    }
    expect(await mergeError(paths)).toMatchObject({
      code: "other_selection",
      message: expect.stringContaining("--filter scene=hall and --filter scene=yard"),
    });
    const merged = await merge(paths, { partial: true });
    expect(merged).toMatchObject({ status: "cancelled", episodes: { total: 27 } });
    const whole = await evaluate(world, { agent: "random" });
    expect(merged.aggregated_metrics).toEqual(whole.aggregated_metrics);
    const info = await new RunDirectory(merged.run_dir ?? "").info();
    expect(info).toMatchObject({ selection: {}, data: {} });
  });
});

describe("mergeRuns with runs of different evaluations", () => {
  const world = makeWorld(manyEpisodes());
  const twoShards = async (second: RunOptions) => {
    const [one = ""] = await copies(2);
    const two = await evaluate(world, { agent: "random", shard: "2/2", ...second });
    return [one, two.run_dir ?? ""];
  };

  it.each<[string, RunOptions, string, RegExp]>([
    [
      "other settings",
      { set: ["evaluation.max_steps=7"] },
      "other_config",
      /evaluation\.max_steps \(nothing and 7\)/,
    ],
    ["another seed", { seed: 5 }, "other_seed", /0 and 5/],
    ["another agent", { agent: "forward" }, "other_agent", /"random" and "forward"/],
    ["a different number of shards", { shard: "3/4" }, "other_shards", /shard 3\/4 .* parts of 2/],
    ["a duplicate shard", { shard: "1/2" }, "same_shard", /shard 1\/2 is given twice/],
    ["a different selection", { limit: 20 }, "other_selection", /all episodes and --limit 20/],
  ])("mergeRuns rejects runs of different evaluations: %s", async (_, second, code, message) => {
    const error = await mergeError(await twoShards(second));
    expect(error).toMatchObject({ code, message: expect.stringMatching(message), exitCode: 2 });
  });

  it("mergeRuns accepts different paths to identical data", async () => {
    expect(await merge(await twoShards({}))).toMatchObject({ status: "done" });
  });

  it("mergeRuns rejects shards of different episodes", async () => {
    const [one] = await copies(2);
    const fewer = makeWorld(manyEpisodes().slice(1));
    const two = await evaluate(fewer, { agent: "random", shard: "2/2" });
    expect(await mergeError([one ?? "", two.run_dir ?? ""])).toMatchObject({
      code: "other_data",
      message: expect.stringContaining("different episodes (27 and 26)"),
    });
  });

  it("mergeRuns rejects runs made with different versions", async () => {
    const paths = await copies(2);
    change(paths[1] ?? "", ({ versions }) => ({ versions: { ...versions, robot_eval: "9.9.9" } }));
    expect(await mergeError(paths)).toMatchObject({ code: "other_version" });
  });

  it("mergeRuns rejects an episode that two runs contain", async () => {
    const [one] = await copies(1);
    const two = await evaluate(world, { agent: "random" });
    const error = await mergeError([one ?? "", two.run_dir ?? ""], { partial: true });
    expect(error).toMatchObject({
      code: "same_episode",
      message: expect.stringContaining("vln/hall/a-b"),
    });
  });

  it("mergeRuns rejects a run that is given twice", async () => {
    const [one = ""] = await copies(2);
    expect(await mergeError([one, join(one, ".")])).toMatchObject({ code: "named_twice" });
  });

  it("mergeRuns rejects scored runs and merged runs", async () => {
    const paths = await copies(2);
    const { run_dir } = await merge(paths);
    expect(await mergeError([run_dir ?? ""])).toMatchObject({
      code: "not_mergeable",
      hint: expect.stringContaining(basename(paths[1] ?? "")),
    });
    change(paths[0] ?? "", () => ({ kind: "score" }));
    expect(await mergeError(paths)).toMatchObject({ code: "not_mergeable" });
  });

  it("mergeRuns rejects runs with early stopping", async () => {
    const set = ["evaluation.early_stop.half_width=0.2"];
    expect(await mergeError(await copies(2, { set }))).toMatchObject({
      code: "not_mergeable",
      message: expect.stringContaining("early stopping"),
    });
  });
});

describe("a failed merge", () => {
  it("a merge leaves no files when a trajectory is missing", async () => {
    const paths = await copies(2);
    const folder = join(paths[1] ?? "", "trajectories");
    const [name = ""] = readdirSync(folder);
    rmSync(join(folder, name));
    expect(await mergeError(paths)).toMatchObject({
      code: "missing_file",
      where: join(folder, name),
    });
  });

  it("a merge leaves no files when a line is damaged", async () => {
    const paths = await copies(2);
    const file = join(paths[0] ?? "", "episodes.jsonl");
    writeFileSync(file, `{]\n${readFileSync(file, "utf8")}`);
    expect(await mergeError(paths)).toMatchObject({ code: "damaged_line", where: `${file}:1` });
  });

  it("a merge leaves no files when run.json is incomplete or not JSON", async () => {
    const paths = await copies(2);
    const file = join(paths[0] ?? "", "run.json");
    change(paths[0] ?? "", () => ({ config: undefined }));
    expect(await mergeError(paths)).toMatchObject({ code: "damaged_file", where: file });
    rmSync(file);
    expect(await mergeError(paths)).toMatchObject({ code: "missing_file", where: paths[0] });
  });

  it("an interrupted merge leaves no files", async () => {
    const paths = await copies(2);
    expect(await mergeError(paths, { signal: AbortSignal.abort() })).toMatchObject({
      exitCode: 130,
    });
  });

  it("a merge leaves no files when the output folder is inside a run or cannot be created", async () => {
    const paths = await copies(2);
    const [first = ""] = paths;
    await expect(merge(paths, { outDir: first })).rejects.toMatchObject({ code: "bad_out" });
    const outDir = join(first, "run.json");
    await expect(merge(paths, { outDir })).rejects.toMatchObject({ code: "cannot_write" });
  });
});

it("mergeRuns accepts read-only runs", async () => {
  const paths = await copies(2);
  for (const path of paths) chmodSync(path, 0o555);
  expect(await merge(paths)).toMatchObject({ status: "done" });
  for (const path of paths) chmodSync(path, 0o755);
});

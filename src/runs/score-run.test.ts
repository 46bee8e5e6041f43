import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  EPISODES,
  episodeDict,
  evaluate,
  linesOf,
  makeWorld,
  temporaryFolder,
} from "../../test/support/cli.js";
import type { Agent } from "../core/interfaces/agent.js";
import type { RunResults } from "../core/interfaces/result.js";
import type { PrivilegedView } from "../core/interfaces/simulator.js";
import { createRegistries, type Registries } from "../registry/registries.js";
import { compareRuns } from "./compare.js";
import { RunDirectory } from "./run-directory.js";
import type { ScoreOptions } from "./score-options.js";
import { scoreRun } from "./score-run.js";

/** Walks the shortest way, and at its end, or a viewpoint before it, does something of its own. */
function walker(before: number, atEnd: () => string): Agent {
  let view: PrivilegedView | undefined;
  return {
    reset: ({ privileged }) => {
      view = privileged;
    },
    act: () => {
      const [goal] = view?.goals() ?? [];
      const path = (goal && view?.shortestPath(goal)) ?? [];
      const next = path[1]?.node;
      return next === undefined || path.length - 1 <= before ? atEnd() : `goto:${next}`;
    },
  };
}

function registriesWithWalkers(): Registries {
  const registries = createRegistries();
  const add = (name: string, create: () => Agent) =>
    registries.agents.register(name, { description: "of this test", privileged: true, create });
  add("stops-short", () => walker(1, () => "stop"));
  add("hangs-up", () =>
    walker(0, () => {
      throw new Error("gone");
    }),
  );
  return registries;
}

function score(run: RunResults | string | null, options: Partial<ScoreOptions> = {}) {
  const path = typeof run === "string" ? run : (run?.run_dir ?? "");
  return scoreRun({ path, outDir: temporaryFolder(), registries: createRegistries(), ...options });
}

/** All but what must differ between a run and its scoring. */
function results({ run_id: _, run_dir: __, ...all }: RunResults & { warnings?: unknown }) {
  const { warnings, ...rest } = all;
  return rest;
}

describe("a run that is scored again", async () => {
  const world = makeWorld([...EPISODES, episodeDict("island", "a", "x")]);
  const live = await evaluate(world, { agent: "random" });
  const again = await score(live);

  it("has the results of the live run, to the last bit", async () => {
    expect(results(again)).toEqual(results(live));
    expect(await linesOf(again.run_dir)).toEqual(await linesOf(live.run_dir));
  });

  it("keeps its trajectories", () => {
    const folder = (run: RunResults) => join(run.run_dir ?? "", "trajectories");
    const names = readdirSync(folder(live));
    expect(readdirSync(folder(again))).toEqual(names);
    for (const name of names) {
      expect(readFileSync(join(folder(again), name))).toEqual(
        readFileSync(join(folder(live), name)),
      );
    }
  });

  it("tells what it was made from", async () => {
    const info = await new RunDirectory(again.run_dir ?? "").info();
    expect(info).toMatchObject({
      kind: "score",
      status: "done",
      agent: "random",
      source: { run: live.run_dir, run_id: live.run_id },
    });
  });

  it("leaves invalid episodes invalid", async () => {
    expect(again.episodes.invalid).toBe(1);
    expect(again.invalid_episodes).toEqual(live.invalid_episodes);
    const line = (await linesOf(again.run_dir)).find((one) => one.episode_id === "island");
    expect(line).toMatchObject({ outcome: "invalid", fault: "data", metrics: {} });
  });

  it("is a run that can be scored and compared like any other", async () => {
    expect(results(await score(again))).toEqual(results(live));
    const { metrics } = await compareRuns(live.run_dir ?? "", again.run_dir ?? "");
    expect(metrics.every((row) => row.difference === 0)).toBe(true);
  });

  it("can be scored without writing anything", async () => {
    const scored = await score(live, { outDir: null });
    expect(scored.run_dir).toBeNull();
    expect(results(scored)).toEqual(results(live));
  });

  it("has metrics that were not asked for live, as if they had been", async () => {
    const metrics = ["success", "soft_spl", "dtw", "goal_progress", "steps_taken"];
    const asked = await evaluate(world, {
      agent: "random",
      set: [`vln_task.config.metrics=${JSON.stringify(metrics)}`],
    });
    const scored = await score(live, { metrics });
    expect(results(scored)).toEqual({ ...results(asked), timings: live.timings });
  });
});

describe("another profile", async () => {
  const live = await evaluate(makeWorld(), {
    agent: "stops-short",
    registries: registriesWithWalkers(),
  });

  it("judges anew: 2 m from the goal is success within 3 m and failure within 0.2 m", async () => {
    expect(live.episodes).toMatchObject({ success: 6, failure: 0 });
    const strict = await score(live, { profile: "habitat" });
    expect(strict.episodes).toMatchObject({ success: 0, failure: 6 });
    expect(strict.profiles).toEqual({ vln: "habitat" });
    expect(strict.aggregated_metrics.success?.mean).toBe(0);
    expect(strict.aggregated_metrics.oracle_success?.mean).toBe(0);
    for (const line of await linesOf(strict.run_dir)) {
      expect(line).toMatchObject({ profile: "habitat", outcome: "failure" });
      expect(line.explanation).toContain("needs less than 0.2 m");
    }
  });

  it("and back again gives what it was", async () => {
    const strict = await score(live, { profile: "habitat" });
    expect(results(await score(strict, { profile: "r2r" }))).toEqual(results(live));
  });
});

describe("an agent that hung up", async () => {
  const live = await evaluate(makeWorld(), {
    agent: "hangs-up",
    registries: registriesWithWalkers(),
  });

  it.each(["r2r", "vlnce", "design"])("has failed under %s, wherever it stood", async (profile) => {
    expect(live.episodes).toMatchObject({ success: 0, failure: 6 });
    const again = await score(live, { profile });
    expect(again.episodes).toMatchObject({ success: 0, failure: 6 });
    expect(again.aggregated_metrics.success?.mean).toBe(0);
    expect(again.aggregated_metrics.navigation_error?.mean).toBe(0);
    for (const line of await linesOf(again.run_dir)) {
      expect(line).toMatchObject({ outcome: "failure", fault: "agent", end_reason: "agent_error" });
      expect(line.explanation).toContain("the agent failed after");
    }
  });
});

describe("the scenes", () => {
  async function withoutScenes(): Promise<string> {
    const world = makeWorld();
    const { run_dir } = await evaluate(world);
    rmSync(join(world.root, "episodes"), { recursive: true });
    return run_dir ?? "";
  }

  it("may be gone when the step records hold all that is measured", async () => {
    const scored = await score(await withoutScenes(), { metrics: ["success", "spl"] });
    expect(scored.aggregated_metrics.spl?.mean).toBe(1);
  });

  it("are asked for when a metric measures in them, and nothing is left behind", async () => {
    const outDir = temporaryFolder();
    const path = await withoutScenes();
    await expect(score(path, { metrics: ["goal_progress"], outDir })).rejects.toMatchObject({
      code: "missing_scene",
      hint: expect.stringContaining("--connectivity"),
    });
    expect(readdirSync(outDir)).toEqual([]);
  });

  it("are found again wherever a scored run was moved to", async () => {
    const scored = await score(await evaluate(makeWorld()));
    const moved = join(temporaryFolder(), "moved");
    cpSync(scored.run_dir ?? "", moved, { recursive: true });
    expect(results(await score(moved))).toEqual(results(scored));
  });

  it("can be given anew", async () => {
    const connectivity = join(makeWorld().root, "episodes", "connectivity");
    const scored = await score(await withoutScenes(), { metrics: ["goal_progress"], connectivity });
    expect(scored.aggregated_metrics.goal_progress?.mean).toBeCloseTo((6 + 4 + 4 + 6 + 2 + 6) / 6);
  });
});

it("a metric of a plugin is scored again with the plugin", async () => {
  const world = makeWorld();
  const plugin = world.write(
    "plugin.mjs",
    `class Turns {
      info = { name: "turns", summary: "", unit: "1", direction: "lower", range: [0, Infinity],
        kind: "mean", needs: { state: [] } };
      get metricName() { return "turns"; }
      reset() { this.n = 0; }
      update({ action }) { if (String(action).startsWith("turn_")) this.n++; }
      getMetric() { return this.n; }
    }
    export default ({ metrics }) => { metrics.register("turns")(Turns); };`,
  );
  const live = await evaluate(world, {
    agent: "random",
    set: [`plugins=["${plugin}"]`, "vln_task.config.metrics=[success, turns]"],
  });
  expect(live.aggregated_metrics.turns?.mean).toBeGreaterThan(0);
  expect(results(await score(live))).toEqual(results(live));
});

describe("a scoring that fails", () => {
  async function failing(
    prepare: (runDir: string) => void,
    options: Partial<ScoreOptions> = {},
  ): Promise<unknown> {
    const world = makeWorld();
    const { run_dir } = await evaluate(world);
    const path = join(world.root, "copy");
    cpSync(run_dir ?? "", path, { recursive: true });
    prepare(path);
    const outDir = temporaryFolder();
    const error = await score(path, { outDir, ...options }).catch((e: unknown) => e);
    expect(readdirSync(outDir)).toEqual([]);
    return error;
  }
  const unchanged = () => {};
  const third = join("trajectories", "vln%2Fhall%2F3.jsonl.gz");

  it("for want of a trajectory's end leaves nothing behind", async () => {
    const error = await failing((run) => {
      writeFileSync(join(run, third), readFileSync(join(run, third)).subarray(0, 60));
    });
    expect(error).toMatchObject({ code: "damaged_gzip", where: expect.stringContaining(third) });
  });

  it("for want of a trajectory leaves nothing behind", async () => {
    const error = await failing((run) => rmSync(join(run, third)));
    expect(error).toMatchObject({ where: expect.stringContaining(third) });
  });

  it("at a damaged line leaves nothing behind", async () => {
    const error = await failing((run) => {
      const file = join(run, "episodes.jsonl");
      writeFileSync(file, `${readFileSync(file, "utf8")}{]\n`);
    });
    expect(error).toMatchObject({ code: "damaged_line", where: expect.stringMatching(/:7$/) });
  });

  it("at a line of a task that the run does not have leaves nothing behind", async () => {
    const error = await failing((run) => {
      const file = join(run, "episodes.jsonl");
      writeFileSync(file, readFileSync(file, "utf8").replace('"task":"vln"', '"task":"other"'));
    });
    expect(error).toMatchObject({
      code: "unknown_task",
      message: expect.stringContaining("other"),
    });
  });

  it("because it was interrupted leaves nothing behind", async () => {
    const error = await failing(unchanged, { signal: AbortSignal.abort() });
    expect(error).toMatchObject({ code: "interrupted", exitCode: 130 });
  });

  it("names the flag when a metric does not exist", async () => {
    expect(await failing(unchanged, { metrics: ["sucess"] })).toMatchObject({
      code: "unknown_metric",
      where: "--metrics",
      hint: expect.stringContaining('did you mean "success"?'),
    });
  });

  it("names the flag when a metric is listed twice", async () => {
    expect(await failing(unchanged, { metrics: ["spl", "spl"] })).toMatchObject({
      message: '"spl" is listed twice',
      where: "--metrics",
    });
  });

  it("names the flag when a profile does not exist", async () => {
    expect(await failing(unchanged, { profile: "r2" })).toMatchObject({
      code: "unknown_profile",
      where: "--profile",
      hint: expect.stringContaining("r2r"),
    });
  });
});

it("a run without trajectories cannot be scored again, and says why", async () => {
  const live = await evaluate(makeWorld(), { set: ["output.save_trajectories=false"] });
  const outDir = temporaryFolder();
  await expect(score(live, { outDir })).rejects.toMatchObject({
    code: "no_trajectory",
    exitCode: 2,
    message: expect.stringContaining("vln/hall/1"),
    hint: expect.stringContaining("save_trajectories"),
  });
  expect(readdirSync(outDir)).toEqual([]);
});

describe("other settings", async () => {
  const world = makeWorld();
  const live = await evaluate(world, {
    agent: "stops-short",
    registries: registriesWithWalkers(),
  });

  it("of what judges hold as if they had been there live", async () => {
    const strict = await score(live, { set: ["vln_task.config.success_distance=1"] });
    expect(strict.episodes).toMatchObject({ success: 0, failure: 6 });
    expect(strict.profiles).toEqual({ vln: "r2r[success_distance=1]" });
    const { config } = await new RunDirectory(strict.run_dir ?? "").info();
    expect(config).toMatchObject({ vln_task: { config: { success_distance: 1 } } });
    const asked = await evaluate(world, {
      agent: "stops-short",
      registries: registriesWithWalkers(),
      set: ["vln_task.config.success_distance=1"],
    });
    expect(results(strict)).toEqual({ ...results(asked), timings: live.timings });
  });

  it("come after the other flags", async () => {
    const set = ["vln_task.config.metrics=[path_length]"];
    const scored = await score(live, { set, metrics: ["success", "spl"] });
    expect(Object.keys(scored.aggregated_metrics)).toEqual(["success", "path_length"]);
  });

  it("may bring a metric of a plugin that the run did not have", async () => {
    const plugin = world.write(
      "later.mjs",
      `class Ones {
        info = { name: "ones", summary: "", unit: "1", direction: "higher", range: [0, 1],
          kind: "rate", needs: { state: [] } };
        get metricName() { return "ones"; }
        reset() {}
        update() {}
        getMetric() { return 1; }
      }
      export default ({ metrics }) => { metrics.register("ones")(Ones); };`,
    );
    const scored = await score(live, { set: [`plugins=["${plugin}"]`], metrics: ["ones"] });
    expect(scored.aggregated_metrics.ones?.mean).toBe(1);
  });

  it.each([
    ["evaluation.max_steps=10", "evaluation.max_steps"],
    ["evaluation.seed=3", "evaluation.seed"],
    ["vln_task.config.max_steps=10", "vln_task.config.max_steps"],
    ["vln_task.type=objectnav", "vln_task.type"],
    ["agent=forward", "agent"],
    ["simulator.sensors={rgb: {}}", "simulator.sensors"],
    ["dataset.vln.data_path=elsewhere.json", "dataset.vln.data_path"],
  ])("of what has happened are refused: %s", async (set, key) => {
    const outDir = temporaryFolder();
    await expect(score(live, { set: [set], outDir })).rejects.toMatchObject({
      code: "not_scored",
      message: `${key} says how episodes are run, and these have been run`,
      where: "--set",
    });
    expect(readdirSync(outDir)).toEqual([]);
  });

  it("that do not exist are told by their place", async () => {
    const set = ["vln_task.config.succes_distance=1"];
    await expect(score(live, { set })).rejects.toMatchObject({
      where: expect.stringContaining("--set"),
      hint: expect.stringContaining("success_distance"),
    });
  });

  it("names of the metrics are told before anything is written", async () => {
    const outDir = temporaryFolder();
    let told: readonly string[] = [];
    const onMetrics = (names: readonly string[]) => {
      told = names;
      throw new Error("enough");
    };
    await expect(score(live, { outDir, metrics: ["spl"], onMetrics })).rejects.toThrow("enough");
    expect(told).toEqual(["success", "spl"]);
    expect(readdirSync(outDir)).toEqual([]);
  });
});

it("repeats stay repeats", async () => {
  const live = await evaluate(makeWorld(), { agent: "random", set: ["evaluation.repeats=3"] });
  const again = await score(live);
  expect(again).toMatchObject({ repeats: 3, episodes: { total: 18 } });
  expect(again.aggregated_metrics.success).toMatchObject({ count: 18, n_episodes: 6 });
  expect(results(again)).toEqual(results(live));
});

it("which part of the benchmark it was is kept", async () => {
  const live = await evaluate(makeWorld(), { filter: "scene=hall", shard: "1/2" });
  const info = (run: RunResults) => new RunDirectory(run.run_dir ?? "").info();
  const { selection, data, disclosed } = await info(live);
  expect(selection).toEqual({ filter: "scene=hall", shard: "1/2" });
  expect(await info(await score(live))).toMatchObject({ selection, data, disclosed });
});

it("a task that a filter left out is left out again", async () => {
  const world = makeWorld();
  const set = ["other_task={type: vln}", "dataset.other={type: vln, data_path: episodes/vln.json}"];
  const live = await evaluate(world, { set, filter: "task=other" });
  expect(Object.keys(live.per_task)).toEqual(["other"]);
  expect(results(await score(live))).toEqual(results(live));
});

it("an early stop is not made again, and the intervals are said to be of a fixed number", async () => {
  const set = ["evaluation.early_stop={half_width: 0.4, min_episodes: 2}"];
  const live = await evaluate(makeWorld(), { set });
  expect(live.aggregated_metrics.success?.ci_method).toBe("sequential");
  const again = await score(live);
  expect(again.aggregated_metrics.success).toMatchObject({
    mean: live.aggregated_metrics.success?.mean,
    ci_method: "wilson",
  });
  expect(again.warnings).toEqual([expect.stringContaining("fixed number of episodes")]);
  const info = await new RunDirectory(again.run_dir ?? "").info();
  expect(info.warnings).toEqual(again.warnings);
});

it("a run that is not finished is scored as far as it is, and says so", async () => {
  const live = await evaluate(makeWorld());
  const path = live.run_dir ?? "";
  const cut = (name: string, text: (before: string) => string) =>
    writeFileSync(join(path, name), text(readFileSync(join(path, name), "utf8")));
  cut("run.json", (text) => text.replace('"status": "done"', '"status": "running"'));
  // Killed while it wrote the fifth line.
  cut("episodes.jsonl", (text) => text.split("\n").slice(0, 5).join("\n").slice(0, -10));
  rmSync(join(path, "summary.json"));
  const again = await score(live);
  expect(again).toMatchObject({ status: "cancelled", episodes: { total: 4 } });
  expect(again.warnings).toEqual([expect.stringContaining("status is running")]);
});

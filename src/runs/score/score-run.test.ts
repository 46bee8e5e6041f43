import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  EPISODES,
  episodeDict,
  evaluate,
  linesOf,
  makeWorld,
  temporaryFolder,
} from "../../../test/support/cli.js";
import type { Agent } from "../../core/interfaces/agent.js";
import type { RunResults } from "../../core/interfaces/result.js";
import type { PrivilegedView } from "../../core/interfaces/simulator.js";
import { createRegistries, type Registries } from "../../registry/registries.js";
import { compareRuns } from "../compare/compare.js";
import { RunDirectory } from "../directory/run-directory.js";
import type { ScoreOptions } from "./score-options.js";
import { scoreRun } from "./score-run.js";

/** Follows the shortest path and takes a given action at its end, or one viewpoint before it. */
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

/** The fields that must be equal in a run and its rescored copy. */
function results({ run_id: _, run_dir: __, ...all }: RunResults & { warnings?: unknown }) {
  const { warnings, ...rest } = all;
  return rest;
}

describe("a rescored run", async () => {
  const world = makeWorld([...EPISODES, episodeDict("island", "a", "x")]);
  const live = await evaluate(world, { agent: "random" });
  const again = await score(live);

  it("a rescored run has exactly the results of the live run", async () => {
    expect(results(again)).toEqual(results(live));
    expect(await linesOf(again.run_dir)).toEqual(await linesOf(live.run_dir));
  });

  it("a rescored run keeps its trajectories", () => {
    const folder = (run: RunResults) => join(run.run_dir ?? "", "trajectories");
    const names = readdirSync(folder(live));
    expect(readdirSync(folder(again))).toEqual(names);
    for (const name of names) {
      expect(readFileSync(join(folder(again), name))).toEqual(
        readFileSync(join(folder(live), name)),
      );
    }
  });

  it("a rescored run records the run that it was made from", async () => {
    const info = await new RunDirectory(again.run_dir ?? "").info();
    expect(info).toMatchObject({
      kind: "score",
      status: "done",
      agent: "random",
      source: { run: live.run_dir, run_id: live.run_id },
    });
  });

  it("rescoring keeps invalid episodes invalid", async () => {
    expect(again.episodes.invalid).toBe(1);
    expect(again.invalid_episodes).toEqual(live.invalid_episodes);
    const line = (await linesOf(again.run_dir)).find((one) => one.episode_id === "island");
    expect(line).toMatchObject({ outcome: "invalid", fault: "data", metrics: {} });
  });

  it("a rescored run can itself be scored and compared", async () => {
    expect(results(await score(again))).toEqual(results(live));
    const { metrics } = await compareRuns(live.run_dir ?? "", again.run_dir ?? "");
    expect(metrics.every((row) => row.difference === 0)).toBe(true);
  });

  it("a run can be scored without writing anything", async () => {
    const scored = await score(live, { outDir: null });
    expect(scored.run_dir).toBeNull();
    expect(results(scored)).toEqual(results(live));
  });

  it("added metrics have the values that a live run would give", async () => {
    const metrics = ["success", "soft_spl", "dtw", "goal_progress", "steps_taken"];
    const asked = await evaluate(world, {
      agent: "random",
      set: [`vln_task.config.metrics=${JSON.stringify(metrics)}`],
    });
    const scored = await score(live, { metrics });
    expect(results(scored)).toEqual({ ...results(asked), timings: live.timings });
  });
});

describe("rescoring with another profile", async () => {
  const live = await evaluate(makeWorld(), {
    agent: "stops-short",
    registries: registriesWithWalkers(),
  });

  it("another profile decides success anew: 2 m from the goal succeeds within 3 m and fails within 0.2 m", async () => {
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

  it("scoring with the original profile restores the original results", async () => {
    const strict = await score(live, { profile: "habitat" });
    expect(results(await score(strict, { profile: "r2r" }))).toEqual(results(live));
  });
});

describe("an agent that disconnected", async () => {
  const live = await evaluate(makeWorld(), {
    agent: "hangs-up",
    registries: registriesWithWalkers(),
  });

  it.each(["r2r", "vlnce", "design"])(
    "an agent that disconnected fails under %s at any position",
    async (profile) => {
      expect(live.episodes).toMatchObject({ success: 0, failure: 6 });
      const again = await score(live, { profile });
      expect(again.episodes).toMatchObject({ success: 0, failure: 6 });
      expect(again.aggregated_metrics.success?.mean).toBe(0);
      expect(again.aggregated_metrics.navigation_error?.mean).toBe(0);
      for (const line of await linesOf(again.run_dir)) {
        expect(line).toMatchObject({
          outcome: "failure",
          fault: "agent",
          end_reason: "agent_error",
        });
        expect(line.explanation).toContain("the agent failed after");
      }
    },
  );
});

describe("the scenes of a rescored run", () => {
  async function withoutScenes(): Promise<string> {
    const world = makeWorld();
    const { run_dir } = await evaluate(world);
    rmSync(join(world.root, "episodes"), { recursive: true });
    return run_dir ?? "";
  }

  it("scenes are not needed when the step records contain all measured values", async () => {
    const scored = await score(await withoutScenes(), { metrics: ["success", "spl"] });
    expect(scored.aggregated_metrics.spl?.mean).toBe(1);
  });

  it("a metric that measures in a scene requires it, and the error leaves no files", async () => {
    const outDir = temporaryFolder();
    const path = await withoutScenes();
    await expect(score(path, { metrics: ["goal_progress"], outDir })).rejects.toMatchObject({
      code: "missing_scene",
      hint: expect.stringContaining("--connectivity"),
    });
    expect(readdirSync(outDir)).toEqual([]);
  });

  it("the scenes are found after the scored run was moved", async () => {
    const scored = await score(await evaluate(makeWorld()));
    const moved = join(temporaryFolder(), "moved");
    cpSync(scored.run_dir ?? "", moved, { recursive: true });
    expect(results(await score(moved))).toEqual(results(scored));
  });

  it("the user can give the scenes", async () => {
    const connectivity = join(makeWorld().root, "episodes", "connectivity");
    const scored = await score(await withoutScenes(), { metrics: ["goal_progress"], connectivity });
    expect(scored.aggregated_metrics.goal_progress?.mean).toBeCloseTo((6 + 4 + 4 + 6 + 2 + 6) / 6);
  });
});

it("a plugin metric is rescored with its plugin", async () => {
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

describe("a failed rescoring", () => {
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
  const third = join("trajectories", "vln_hall_3.jsonl.gz");

  it("rescoring leaves no files when a trajectory is truncated", async () => {
    const error = await failing((run) => {
      writeFileSync(join(run, third), readFileSync(join(run, third)).subarray(0, 60));
    });
    expect(error).toMatchObject({ code: "damaged_gzip", where: expect.stringContaining(third) });
  });

  it("rescoring leaves no files when a trajectory is missing", async () => {
    const error = await failing((run) => rmSync(join(run, third)));
    expect(error).toMatchObject({ where: expect.stringContaining(third) });
  });

  it("rescoring leaves no files when a line is damaged", async () => {
    const error = await failing((run) => {
      const file = join(run, "episodes.jsonl");
      writeFileSync(file, `${readFileSync(file, "utf8")}{]\n`);
    });
    expect(error).toMatchObject({ code: "damaged_line", where: expect.stringMatching(/:7$/) });
  });

  it("rescoring leaves no files when a line names a task that the run does not have", async () => {
    const error = await failing((run) => {
      const file = join(run, "episodes.jsonl");
      writeFileSync(file, readFileSync(file, "utf8").replace('"task":"vln"', '"task":"other"'));
    });
    expect(error).toMatchObject({
      code: "unknown_task",
      message: expect.stringContaining("other"),
    });
  });

  it("interrupted rescoring leaves no files", async () => {
    const error = await failing(unchanged, { signal: AbortSignal.abort() });
    expect(error).toMatchObject({ code: "interrupted", exitCode: 130 });
  });

  it("an error of rescoring names the flag when a metric does not exist", async () => {
    expect(await failing(unchanged, { metrics: ["sucess"] })).toMatchObject({
      code: "unknown_metric",
      where: "--metrics",
      hint: expect.stringContaining('did you mean "success"?'),
    });
  });

  it("an error of rescoring names the flag when a metric is listed twice", async () => {
    expect(await failing(unchanged, { metrics: ["spl", "spl"] })).toMatchObject({
      message: '"spl" is listed twice',
      where: "--metrics",
    });
  });

  it("an error of rescoring names the flag when a profile does not exist", async () => {
    expect(await failing(unchanged, { profile: "r2" })).toMatchObject({
      code: "unknown_profile",
      where: "--profile",
      hint: expect.stringContaining("r2r"),
    });
  });
});

it("a run without trajectories is rejected by rescoring with the reason", async () => {
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

describe("rescoring with --set", async () => {
  const world = makeWorld();
  const live = await evaluate(world, {
    agent: "stops-short",
    registries: registriesWithWalkers(),
  });

  it("rescoring with --set applies scoring settings with the same effect as in a live run", async () => {
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

  it("rescoring applies --set after the other flags", async () => {
    const set = ["vln_task.config.metrics=[path_length]"];
    const scored = await score(live, { set, metrics: ["success", "spl"] });
    expect(Object.keys(scored.aggregated_metrics)).toEqual(["success", "path_length"]);
  });

  it("rescoring with --set can add a plugin with a metric", async () => {
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
  ])(
    "rescoring with --set rejects the setting %s, which affects the episodes themselves",
    async (set, key) => {
      const outDir = temporaryFolder();
      await expect(score(live, { set: [set], outDir })).rejects.toMatchObject({
        code: "not_scored",
        message: `${key} affects how episodes run, and these are already recorded`,
        where: "--set",
      });
      expect(readdirSync(outDir)).toEqual([]);
    },
  );

  it("rescoring with --set rejects an unknown setting with its key", async () => {
    const set = ["vln_task.config.succes_distance=1"];
    await expect(score(live, { set })).rejects.toMatchObject({
      where: expect.stringContaining("--set"),
      hint: expect.stringContaining("success_distance"),
    });
  });

  it("rescoring with --set reports the names of the metrics before anything is written", async () => {
    const outDir = temporaryFolder();
    let told: Readonly<Record<string, readonly string[]>> = {};
    const onMetrics = (names: Readonly<Record<string, readonly string[]>>) => {
      told = names;
      throw new Error("enough");
    };
    await expect(score(live, { outDir, metrics: ["spl"], onMetrics })).rejects.toThrow("enough");
    expect(told).toEqual({ vln: ["success", "spl"] });
    expect(readdirSync(outDir)).toEqual([]);
  });
});

it("rescoring keeps repeats", async () => {
  const live = await evaluate(makeWorld(), { agent: "random", set: ["evaluation.repeats=3"] });
  const again = await score(live);
  expect(again).toMatchObject({ repeats: 3, episodes: { total: 18 } });
  expect(again.aggregated_metrics.success).toMatchObject({ count: 18, n_episodes: 6 });
  expect(results(again)).toEqual(results(live));
});

it("rescoring keeps the selection of the run", async () => {
  const live = await evaluate(makeWorld(), { filter: "scene=hall", shard: "1/2" });
  const info = (run: RunResults) => new RunDirectory(run.run_dir ?? "").info();
  const { selection, data, disclosed } = await info(live);
  expect(selection).toEqual({ filter: "scene=hall", shard: "1/2" });
  expect(await info(await score(live))).toMatchObject({ selection, data, disclosed });
});

it("rescoring omits a task that the run filter excluded", async () => {
  const world = makeWorld();
  const set = ["other_task={type: vln}", "dataset.other={type: vln, data_path: episodes/vln.json}"];
  const live = await evaluate(world, { set, filter: "task=other" });
  expect(Object.keys(live.per_task)).toEqual(["other"]);
  expect(results(await score(live))).toEqual(results(live));
});

it("rescoring does not stop early and labels intervals as fixed-sample", async () => {
  const set = ["evaluation.early_stop={half_width: 0.4, min_episodes: 2}"];
  const live = await evaluate(makeWorld(), { set });
  expect(live.aggregated_metrics.success?.ci_method).toBe("sequential");
  const again = await score(live);
  expect(again.aggregated_metrics.success).toMatchObject({
    mean: live.aggregated_metrics.success?.mean,
    ci_method: "wilson_scenes",
  });
  expect(again.warnings).toEqual([expect.stringContaining("fixed number of episodes")]);
  const info = await new RunDirectory(again.run_dir ?? "").info();
  expect(info.warnings).toEqual(again.warnings);
});

it("an unfinished run is rescored as far as it got, with a note", async () => {
  const live = await evaluate(makeWorld());
  const path = live.run_dir ?? "";
  const cut = (name: string, text: (before: string) => string) =>
    writeFileSync(join(path, name), text(readFileSync(join(path, name), "utf8")));
  cut("run.json", (text) => text.replace('"status": "done"', '"status": "running"'));
  // The process was killed while it wrote the fifth line.
  cut("episodes.jsonl", (text) => text.split("\n").slice(0, 5).join("\n").slice(0, -10));
  rmSync(join(path, "summary.json"));
  const again = await score(live);
  expect(again).toMatchObject({ status: "cancelled", episodes: { total: 4 } });
  expect(again.warnings).toEqual([expect.stringContaining("status running")]);
});

it("a run whose files have the percent-encoded names of earlier versions can be scored", async () => {
  const world = makeWorld();
  const run = await evaluate(world);
  const path = run.run_dir ?? "";
  const lines = await linesOf(path);
  for (const { episode_key, trajectory } of lines) {
    const old = `trajectories/${encodeURIComponent(episode_key)}.jsonl.gz`;
    renameSync(join(path, trajectory ?? ""), join(path, old));
    const log = join(path, "episodes.jsonl");
    writeFileSync(log, readFileSync(log, "utf8").replace(trajectory ?? "", old));
  }
  const scored = await score(path);
  expect(results(scored).aggregated_metrics).toEqual(run.aggregated_metrics);
  const names = (await linesOf(scored.run_dir)).map(({ trajectory }) => trajectory);
  expect(names).toEqual(lines.map(({ trajectory }) => trajectory));
});

it("a run with Windows line endings can be scored", async () => {
  const run = await evaluate(makeWorld());
  const path = run.run_dir ?? "";
  for (const name of ["episodes.jsonl", "run.json", "benchmark.yaml"]) {
    const text = readFileSync(join(path, name), "utf8");
    writeFileSync(join(path, name), `${text.replaceAll("\n", "\r\n")}\r\n`);
  }
  expect((await score(path)).aggregated_metrics).toEqual(run.aggregated_metrics);
});

import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { makeWorld } from "../../../test/support/cli.js";
import {
  doing,
  evaluate,
  onlyLine,
  type TinyWorld,
  tinyEpisode,
  tinyWorld,
} from "../../../test/support/tiny-world.js";
import { type LoadedConfig, parseConfig } from "../../config/load.js";
import { ConfigError } from "../../core/errors.js";
import { createRegistries } from "../../registry/registries.js";
import { type PrepareOptions, prepareRun } from "./prepare.js";

const forever = doing(() => "turn_left");

async function refusal(world: TinyWorld, agent = "random", options = {}): Promise<ConfigError> {
  try {
    await evaluate(world, agent, options);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("the benchmark was run");
}

describe("the step limit", () => {
  it.each([
    ["the evaluation", {}, {}, 6],
    ["the task before the evaluation", { max_steps: 4 }, {}, 4],
    ["the episode before the task", { max_steps: 4 }, { simParams: { max_steps: 2 } }, 2],
  ])("a run takes the step limit of %s", async (_whose, config, more, steps) => {
    const world = tinyWorld({
      episodes: [tinyEpisode("a", "d", more)],
      config,
      evaluation: { max_steps: 6 },
    });
    expect(onlyLine(await evaluate(world, forever))).toMatchObject({
      steps,
      end_reason: "max_steps",
      outcome: "failure",
    });
  });
});

describe("goals in the benchmark", () => {
  it("the goal position of the benchmark is given only to episodes without one", async () => {
    const goals = { position: [0, 0, -4], node: "c" };
    const bare = tinyEpisode("a", "d", { episodeId: "bare", goals: {} });
    const world = tinyWorld({ episodes: [bare, tinyEpisode("a", "d")], config: { goals } });
    const { lines } = await evaluate(world, "shortest-path");
    expect(lines).toMatchObject([
      { episode_id: "bare", outcome: "success", steps: 3 },
      { episode_id: "a-d", outcome: "success", steps: 4 },
    ]);
  });

  it.each([
    ["a benchmark", undefined, { radius: 0.5 }],
    ["a run", "current", { radius: 0.5 }],
    ["a run of an early version", "early", {}],
  ] as const)(
    "the goals of an episode from %s are completed as that run did",
    async (_of, recorded, more) => {
      const world = makeWorld();
      const own = { position: [0, 0, -4] };
      const episodes = [{ episode_id: "1", task_type: "vln", scene_id: "s", goals: own }];
      const file = world.write("own.json", { format: "robot-eval-episodes/1", episodes });
      const document = {
        benchmark: { name: "goals" },
        vln_task: { type: "vln", config: { goals: { position: [9, 9, 9], radius: 0.5 } } },
        dataset: { vln: { type: "vln", data_path: file } },
      };
      const loaded = parseConfig(JSON.stringify(document), { recorded });
      const plan = await prepareRun(loaded, { registries: createRegistries(), agent: "random" });
      expect(plan.tasks[0]?.episodes[0]?.goals).toEqual({ ...own, ...more });
    },
  );
});

describe("the selection of episodes", () => {
  it("the selection of episodes takes the first episodes of each task that pass the filter", async () => {
    const world = tinyWorld({ tasks: ["vln", "second"] });
    const { lines } = await evaluate(world, "shortest-path", { first: 2, filter: "id=c*|d*|e*" });
    expect(lines.map((line) => line.episode_key)).toEqual([
      "vln/tiny/c-e",
      "vln/tiny/d-a",
      "second/tiny/c-e",
      "second/tiny/d-a",
    ]);
  });

  it("the selection of episodes runs the first three instructions of an R2R path with profile r2r, and all with others", async () => {
    const episodes = [0, 1, 2, 3].map((i) =>
      tinyEpisode("a", "d", { episodeId: `757_${i}`, taskConfig: { path_id: "757" } }),
    );
    const plan = (profile: string) => {
      const { benchmark } = tinyWorld({ episodes, config: { profile } });
      const loaded = parseConfig(stringify(benchmark));
      return prepareRun(loaded, { registries: createRegistries(), agent: "random" });
    };
    const { tasks, warnings } = await plan("r2r");
    expect(tasks[0]?.episodes.map(({ episodeId }) => episodeId)).toEqual([
      "757_0",
      "757_1",
      "757_2",
    ]);
    expect(tasks[0]?.data.episodes).toBe(3);
    expect(warnings).toEqual([expect.stringContaining("1 episode is not scored: 757_3")]);
    expect(await plan("habitat")).toMatchObject({
      tasks: [{ data: { episodes: 4 } }],
      warnings: [],
    });
  });

  it("the selection of episodes needs no agent for a task that the filter leaves out", async () => {
    const world = tinyWorld({ tasks: ["vln", "second"] });
    const agent = "second=shortest-path";
    const { lines } = await evaluate(world, agent, { limit: 1, filter: "task=second" });
    expect(lines.map((line) => line.task)).toEqual(["second"]);
    const needed = { code: "no_agent", where: "--agent", hint: "add vln=<agent>" };
    for (const filter of [undefined, "id=*"]) {
      expect(await refusal(world, agent, { filter })).toMatchObject(needed);
    }
  });

  const keysOf = async (world: TinyWorld, options = {}) =>
    (await evaluate(world, "shortest-path", options)).lines.map((line) => line.episode_key);
  const shuffled = (shuffle: number) => {
    const world = tinyWorld();
    const [vln] = Object.values(world.benchmark.dataset as object);
    const dataset = { vln: { ...vln, shuffle } };
    return { ...world, benchmark: { ...world.benchmark, dataset } };
  };

  it("the selection of episodes shuffles episodes with the dataset seed", async () => {
    const order = await keysOf(tinyWorld());
    const orders = await Promise.all([1, 2, 3, 4].map((seed) => keysOf(shuffled(seed))));
    for (const other of orders) expect([...other].sort()).toEqual([...order].sort());
    expect(new Set(orders.map(String)).size).toBeGreaterThan(1);
    expect(await keysOf(shuffled(3))).toEqual(orders[2]);
    expect(await keysOf(shuffled(3), { first: 2 })).toEqual(orders[2]?.slice(0, 2));
  });

  /** Six episodes in scene `tiny` and three in each of two others. */
  const manyScenes = (dataset: object = {}) => {
    const episodes = [..."aaaaaabbbccc"].map((letter, i) =>
      tinyEpisode("a", "d", { episodeId: `${i}`, sceneId: letter === "a" ? "tiny" : letter }),
    );
    const { benchmark } = tinyWorld({ episodes });
    const [vln] = Object.values(benchmark.dataset as object);
    return parseConfig(stringify({ ...benchmark, dataset: { vln: { ...vln, ...dataset } } }));
  };
  const planned = async (loaded: LoadedConfig, options: Partial<PrepareOptions> = {}) => {
    const registries = createRegistries();
    const { tasks } = await prepareRun(loaded, { registries, agent: "random", ...options });
    const [task] = tasks;
    const ids = (task?.episodes ?? []).map(({ sceneId, episodeId }) => `${sceneId}/${episodeId}`);
    return { data: task?.data, ids };
  };

  it("the selection of episodes draws a limit over the scenes by the seed of the run, or by the shuffle of the dataset", async () => {
    const { ids, data } = await planned(manyScenes(), { limit: 4 });
    const scenes = ids.map((id) => id.split("/")[0]);
    expect(scenes.sort()).toEqual(["b", "c", "tiny", "tiny"]);
    expect(data).toMatchObject({ episodes: 4, of: 12 });
    const seeds = await Promise.all(
      [1, 2, 3].map(async (seed) => (await planned(manyScenes(), { limit: 4, seed })).ids),
    );
    expect(new Set(seeds.map(String)).size).toBeGreaterThan(1);
    const pinned = await Promise.all(
      [1, 2, 3].map(
        async (seed) => (await planned(manyScenes({ limit: 4, shuffle: 9 }), { seed })).ids,
      ),
    );
    expect(new Set(pinned.map(String)).size).toBe(1);
  });

  it("the selection of episodes records the number of available episodes only if fewer are selected", async () => {
    expect((await planned(manyScenes({ limit: 12 }))).data).not.toHaveProperty("of");
    expect((await planned(manyScenes({ first: 3 }))).data).not.toHaveProperty("of");
    expect((await planned(manyScenes(), { filter: "scene=b" })).data).toMatchObject({ of: 12 });
  });

  it("the selection of episodes lets the flags --limit and --first replace both keys of a dataset", async () => {
    expect((await planned(manyScenes({ limit: 4 }), { first: 2 })).ids).toEqual([
      "tiny/0",
      "tiny/1",
    ]);
    expect((await planned(manyScenes({ first: 2 }), { limit: 12 })).ids).toHaveLength(12);
  });

  it("the selection of episodes takes the first episodes for the limit of a run that did not record its meaning", async () => {
    const old = { limitDraws: "first" } as const;
    expect((await planned(manyScenes({ limit: 2 }), old)).ids).toEqual(["tiny/0", "tiny/1"]);
  });

  it.each([
    [{ limit: 2, first: 3 }, {}],
    [{}, { limit: 2, first: 3 }],
  ])(
    "the selection of episodes rejects a limit together with the first episodes: dataset %j, flags %j",
    async (dataset, flags) => {
      await expect(planned(manyScenes(dataset), flags)).rejects.toMatchObject({
        code: "two_limits",
      });
    },
  );

  it("the selection of episodes divides episodes into disjoint shards that together are complete", async () => {
    const parts: string[] = [];
    for (const shard of ["1/2", "2/2"]) parts.push(...(await keysOf(tinyWorld(), { shard })));
    expect(parts.sort()).toEqual((await keysOf(tinyWorld())).sort());
  });

  it("the selection of episodes rejects a shard that does not exist or is empty", async () => {
    for (const shard of ["0/2", "3/2", "half"]) {
      expect(await refusal(tinyWorld(), "random", { shard })).toMatchObject({
        code: "bad_shard",
        where: "--shard",
      });
    }
    const one = tinyWorld({ episodes: [tinyEpisode("a", "d")] });
    const shards = Array.from({ length: 8 }, (_, i) => `${i + 1}/8`);
    const empty: string[] = [];
    for (const shard of shards) {
      const error = await refusal(one, "random", { shard }).catch(() => undefined);
      if (error?.code === "no_episodes") empty.push(shard);
    }
    expect(empty).toHaveLength(7);
  });

  it("the selection of episodes takes episodes of the caller instead of those of the dataset", async () => {
    const { lines } = await evaluate(tinyWorld(), "shortest-path", {
      episodes: { vln: [tinyEpisode("b", "c")] },
    });
    expect(lines.map((line) => line.episode_id)).toEqual(["b-c"]);
  });

  it("the selection of episodes rejects a selection without episodes", async () => {
    expect(await refusal(tinyWorld(), "random", { filter: "id=nothing" })).toMatchObject({
      code: "no_episodes",
      where: "--filter",
    });
  });

  it("the selection of episodes rejects a limit of 0", async () => {
    for (const limit of [0, -1]) {
      expect(await refusal(tinyWorld(), "random", { limit })).toBeInstanceOf(ConfigError);
    }
  });
});

describe("a benchmark that names something unknown", () => {
  it.each<[string, Parameters<typeof tinyWorld>[0], string, RegExp]>([
    [
      "an unknown metric",
      { config: { metrics: ["success", "slp"] } },
      "unknown_metric",
      /\.yaml:\d+:\d+$/,
    ],
    ["an unknown task", { type: "vnl" }, "unknown_task", /\.yaml:\d+:\d+$/],
    [
      "an unknown simulator",
      { sections: { simulator: { backend: "grpah" } } },
      "unknown_simulator",
      /\.yaml:\d+:\d+$/,
    ],
    [
      "a missing plugin",
      { sections: { plugins: ["./nowhere.js"] } },
      "missing_plugin",
      /\.yaml:\d+:\d+$/,
    ],
  ])("the plan rejects %s and names the line", async (_what, options, code, where) => {
    const error = await refusal(tinyWorld(options));
    expect(error.code).toBe(code);
    expect(error.where).toMatch(where);
  });

  it("the plan rejects an unknown agent and names the flag or the line", async () => {
    expect(await refusal(tinyWorld(), "radnom")).toMatchObject({
      code: "unknown_agent",
      where: "--agent",
      hint: expect.stringContaining('did you mean "random"?'),
    });
    expect(await refusal(tinyWorld(), "second=random")).toMatchObject({ code: "no_agent" });
  });

  it("the plan rejects an unknown task setting and names the line", async () => {
    const error = await refusal(tinyWorld({ config: { sucess_distance: 3 } }));
    expect(error.describe()).toContain("sucess_distance");
    expect(error.describe()).toContain("success_distance");
    expect(error.describe()).toMatch(/\.yaml:\d+:\d+/);
  });

  it("the plan rejects a missing folder of navigation graphs before the run", async () => {
    const world = tinyWorld();
    const connectivity = `${world.dir}/no-such-folder`;
    const benchmark = { ...world.benchmark, simulator: { connectivity } };
    await expect(evaluate({ ...world, benchmark }, "random", { limit: 1 })).rejects.toMatchObject({
      code: "missing_directory",
      message: expect.stringContaining("no-such-folder"),
      where: expect.stringMatching(/:\d+:\d+$/),
    });
  });
});

describe("an agent for each task", () => {
  it("each task runs with the agent that the SPEC names for it", async () => {
    const world = tinyWorld({ tasks: ["vln", "second"], episodes: [tinyEpisode("a", "d")] });
    const { results, lines } = await evaluate(world, "vln=shortest-path,second=random", {
      seed: 3,
    });
    expect(lines.find(({ task }) => task === "vln")?.outcome).toBe("success");
    expect(results.agent).toBe("vln=shortest-path,second=random");
  });
});

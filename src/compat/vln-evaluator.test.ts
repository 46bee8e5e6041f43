import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { EPISODES, episodeDict, evaluate, makeWorld, positionOf } from "../../test/support/cli.js";
import { objOf, sceneFolder, TWO_ROOMS } from "../../test/support/obj-scene.js";
import { BaseEpisode } from "../core/episode/base.js";
import { loadEpisodes } from "../dataset/loader.js";
import { createRegistries } from "../registry/registries.js";
import { VLNEvaluator } from "./index.js";

const world = makeWorld();
const connectivity = join(world.root, "episodes", "connectivity");
const metrics = [
  "success",
  "spl",
  "navigation_error",
  "oracle_success",
  "path_length",
  "ndtw",
  "cls",
];
const config = { connectivity, metrics, profile: "r2r" };

/** Episodes in R2R-CE's format, without viewpoint names: viewpoints are found by position. */
const oldEpisodes = EPISODES.map((episode) => ({
  episode_id: Number(episode.episode_id),
  trajectory_id: 1,
  scene_id: `mp3d/${episode.scene_id}/${episode.scene_id}.glb`,
  start_position: episode.start_state.position,
  start_rotation: episode.start_state.rotation,
  info: { geodesic_distance: 6 },
  goals: [{ position: episode.goals.position, radius: 3 }],
  instruction: { instruction_text: episode.instruction.text },
  reference_path: episode.reference_data.path,
}));

describe.each(["shortest-path", "random"])("VLNEvaluator with the agent %s", async (agent) => {
  const unified = await evaluate(world, { agent, outDir: null });
  const means = Object.entries(unified.aggregated_metrics).map(([name, { mean }]) => [name, mean]);
  const evaluator = new VLNEvaluator({ ...config, agent });

  it.each([
    ["episodes", EPISODES.map((episode) => BaseEpisode.fromDict(episode))],
    ["plain objects", EPISODES],
  ])("VLNEvaluator judges %s as UnifiedRobotEvaluator does", async (_, episodes) => {
    const { metrics: found, summary, episodes: lines } = await evaluator.evaluate(episodes);
    expect(found).toEqual(Object.fromEntries(means));
    expect(summary.aggregated_metrics).toEqual(unified.aggregated_metrics);
    expect(lines.map((line) => line.episode_key)).toEqual([
      "vln/hall/1",
      "vln/hall/2",
      "vln/hall/3",
      "vln/hall/4",
      "vln/yard/1",
      "vln/yard/2",
    ]);
  });
});

it("VLNEvaluator accepts R2R-CE episodes whose positions are viewpoints", async () => {
  const { metrics: found, episodes } = await new VLNEvaluator(config).evaluate(oldEpisodes);
  expect(found).toMatchObject({
    success: 1,
    spl: 1,
    navigation_error: 0,
    path_length: (6 + 4 + 4 + 6 + 2 + 6) / 6,
  });
  expect(episodes.map((line) => line.outcome)).toEqual(oldEpisodes.map(() => "success"));
});

it("VLNEvaluator accepts mixed episode forms, and uses shortest-path by default", async () => {
  const [first, second] = EPISODES;
  const { summary } = await new VLNEvaluator(config).evaluate([
    BaseEpisode.fromDict(first),
    second ?? {},
    { ...oldEpisodes[2], start_position: positionOf("b") },
  ]);
  expect(summary).toMatchObject({ agent: "shortest-path", episodes: { total: 3, success: 3 } });
});

describe("VLNEvaluator settings", () => {
  const far = [episodeDict("1", "a", "d")];

  it("VLNEvaluator uses the success distance of its settings", async () => {
    const near = { connectivity, agent: "random", success_distance: 100, metrics: ["success"] };
    expect((await new VLNEvaluator(near).evaluate(far)).metrics).toEqual({ success: 1 });
  });

  it("VLNEvaluator limits the number of steps", async () => {
    const short = new VLNEvaluator({ ...config, max_steps: 1 });
    const { episodes } = await short.evaluate(far);
    expect(episodes[0]).toMatchObject({ end_reason: "max_steps", steps: 1 });
  });

  it("VLNEvaluator seeds the agent", async () => {
    const paths = async (seed: number) => {
      const random = new VLNEvaluator({ ...config, agent: "random", seed });
      return (await random.evaluate(EPISODES)).episodes.map((line) => line.final_state_hash);
    };
    expect(await paths(1)).toEqual(await paths(1));
    expect(await paths(1)).not.toEqual(await paths(2));
  });
});

describe("VLNEvaluator in a scene from a file", () => {
  /** From the west room through the door into the east room, in the old layout. */
  const through = (more: object) => ({
    episode_id: 1,
    scene_id: "rooms.obj",
    start_position: [-2, 0, 0],
    start_rotation: [0, 0, 0, 1],
    goals: [{ position: [2, 0, 0], radius: 3 }],
    instruction: { instruction_text: "Go through the door." },
    ...more,
  });
  const path = [
    [-2, 0, 0],
    [-0.28, 0, 1.2],
    [0.28, 0, 1.2],
    [2, 0, 0],
  ];

  it("VLNEvaluator uses the folder named scenes, and by default gives the shortest path an nDTW near 1", async () => {
    const { dir } = sceneFolder({ "rooms.obj": objOf(TWO_ROOMS) });
    const evaluator = new VLNEvaluator({ scenes: dir });
    const { metrics: found, warnings } = await evaluator.evaluate([
      through({ reference_path: path }),
    ]);
    expect(found).toMatchObject({ success: 1, oracle_success: 1 });
    expect(found.ndtw).toBeGreaterThan(0.95);
    expect(found.sdtw).toBe(found.ndtw);
    expect(warnings).toEqual([
      "1 of 1 episodes have no dense ground-truth path: path metrics use their reference path with a point every 0.25 m",
    ]);
    const astray = new VLNEvaluator({ scenes: dir, agent: "forward", max_steps: 20 });
    const wrong = await astray.evaluate([through({ reference_path: path })]);
    expect(wrong.metrics.ndtw).toBeLessThan(0.7);
  });

  it("VLNEvaluator reports a folder that does not exist", async () => {
    const evaluator = new VLNEvaluator({ scenes: join(world.root, "nowhere") });
    await expect(evaluator.evaluate([through({})])).rejects.toMatchObject({
      code: "missing_directory",
      message: expect.stringContaining("nowhere"),
    });
  });
});

it("VLNEvaluator gives the shortest path an nDTW of 1 by default if episodes have the dense path", async () => {
  const { formats } = createRegistries();
  const file = fileURLToPath(new URL("../../data/navmesh/vln/val.json.gz", import.meta.url));
  const episodes: BaseEpisode[] = [];
  for await (const episode of loadEpisodes({ path: file, formats })) {
    episodes.push(episode);
    if (episodes.length === 2) break;
  }
  const { metrics: found, summary, warnings } = await new VLNEvaluator().evaluate(episodes);
  expect(summary.profiles.vln).toBe("vlnce");
  expect(found.ndtw).toBeCloseTo(1, 3);
  expect(warnings).toEqual([]);
});

describe("VLNEvaluator with unknown or invalid settings", () => {
  it.each([
    [{ sucess_distance: 3 }, "sucess_distance: unknown key", 'did you mean "success_distance"?'],
    [{ maxSteps: 3 }, "maxSteps: unknown key", 'did you mean "max_steps"?'],
    [{ scene: "x" }, "scene: unknown key", 'did you mean "scenes"?'],
    [{ colour: "red" }, "colour: unknown key", "valid: success_distance"],
    [{ max_steps: "ten" }, 'max_steps: expected a whole number above 0, got "ten"', ""],
    [null, "expected a mapping, got nothing", ""],
  ])("VLNEvaluator rejects %j", (settings, message, hint) => {
    let error: unknown;
    try {
      new VLNEvaluator(settings as object);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      ...{ name: "ConfigError", code: "bad_argument", where: "VLNEvaluator", message },
      ...(hint === "" ? {} : { hint: expect.stringContaining(hint) }),
    });
  });
});

describe("VLNEvaluator with invalid input", () => {
  it("VLNEvaluator rejects an empty list of episodes", async () => {
    await expect(new VLNEvaluator(config).evaluate([])).rejects.toMatchObject({
      code: "no_episodes",
      exitCode: 2,
    });
  });

  it("VLNEvaluator rejects anything but a list of episodes", async () => {
    const all = { episodes: oldEpisodes } as unknown as object[];
    await expect(new VLNEvaluator(config).evaluate(all)).rejects.toMatchObject({
      code: "bad_argument",
      where: "VLNEvaluator.evaluate: episodes",
      message: expect.stringContaining("expected a list"),
    });
  });

  it("VLNEvaluator rejects an unknown metric and suggests the nearest", async () => {
    const evaluator = new VLNEvaluator({ ...config, metrics: ["sucess"] });
    await expect(evaluator.evaluate(EPISODES)).rejects.toMatchObject({
      code: "unknown_metric",
      hint: expect.stringContaining('did you mean "success"?'),
    });
  });

  it("VLNEvaluator rejects an unknown agent", async () => {
    const evaluator = new VLNEvaluator({ ...config, agent: "oracle" });
    await expect(evaluator.evaluate(EPISODES)).rejects.toMatchObject({ code: "unknown_agent" });
  });

  it.each([
    ["an object without fields", {}],
    ["null", null],
    ["an incomplete old episode", { start_position: [0, 0, 0] }],
  ])("VLNEvaluator rejects %s and names its index", async (_, broken) => {
    const episodes = [...EPISODES, broken as object];
    await expect(new VLNEvaluator(config).evaluate(episodes)).rejects.toMatchObject({
      exitCode: 2,
      where: expect.stringContaining("episodes[6]"),
    });
  });
});

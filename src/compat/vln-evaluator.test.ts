import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EPISODES, episodeDict, evaluate, makeWorld, positionOf } from "../../test/support/cli.js";
import { BaseEpisode } from "../core/episode/base.js";
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
  ])("judges %s as UnifiedRobotEvaluator does", async (_, episodes) => {
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

  it("sets the success distance", async () => {
    const near = { connectivity, agent: "random", success_distance: 100, metrics: ["success"] };
    expect((await new VLNEvaluator(near).evaluate(far)).metrics).toEqual({ success: 1 });
  });

  it("limits the number of steps", async () => {
    const short = new VLNEvaluator({ ...config, max_steps: 1 });
    const { episodes } = await short.evaluate(far);
    expect(episodes[0]).toMatchObject({ end_reason: "max_steps", steps: 1 });
  });

  it("seeds the agent", async () => {
    const paths = async (seed: number) => {
      const random = new VLNEvaluator({ ...config, agent: "random", seed });
      return (await random.evaluate(EPISODES)).episodes.map((line) => line.final_state_hash);
    };
    expect(await paths(1)).toEqual(await paths(1));
    expect(await paths(1)).not.toEqual(await paths(2));
  });
});

describe("VLNEvaluator with invalid input", () => {
  it("rejects an empty list of episodes", async () => {
    await expect(new VLNEvaluator(config).evaluate([])).rejects.toMatchObject({
      code: "no_episodes",
      exitCode: 2,
    });
  });

  it("rejects an unknown metric and suggests the nearest", async () => {
    const evaluator = new VLNEvaluator({ ...config, metrics: ["sucess"] });
    await expect(evaluator.evaluate(EPISODES)).rejects.toMatchObject({
      code: "unknown_metric",
      hint: expect.stringContaining('did you mean "success"?'),
    });
  });

  it("rejects an unknown agent", async () => {
    const evaluator = new VLNEvaluator({ ...config, agent: "oracle" });
    await expect(evaluator.evaluate(EPISODES)).rejects.toMatchObject({ code: "unknown_agent" });
  });

  it.each([
    ["an object without fields", {}],
    ["null", null],
    ["an incomplete old episode", { start_position: [0, 0, 0] }],
  ])("rejects %s and names its index", async (_, broken) => {
    const episodes = [...EPISODES, broken as object];
    await expect(new VLNEvaluator(config).evaluate(episodes)).rejects.toMatchObject({
      exitCode: 2,
      where: expect.stringContaining("episodes[6]"),
    });
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { EpisodeLine } from "../../src/core/interfaces/result.js";
import { BaseEpisode, loadConfig, UnifiedRobotEvaluator } from "../../src/index.js";
import { linesOf, makeWorld } from "../support/cli.js";
import { MANIP_001 } from "../support/design-episodes.js";

const CHALLENGE = readFileSync(
  new URL("../../src/config/unified-challenge.fixture.txt", import.meta.url),
  "utf8",
);
const PATHS = {
  "data/datasets/vln/R2R/val_seen.json.gz": "episodes/vln.json",
  "data/datasets/manipulation/LIBERO/train": "episodes/manipulation.json",
};

/** An episode without goals, for which chapter 8's YAML has defaults. */
const without = (episodeId: string, base_pose: [number, number, number]) =>
  new BaseEpisode({
    episodeId,
    taskType: "pick_place",
    sceneId: "table",
    startState: { base_pose },
  });

// The design's own episodes in the benchmark of chapter 8, with the robot, goals and 500 steps that it configures.
describe("the design's manipulation episodes", () => {
  const episodes = [
    MANIP_001,
    without("without_goals", [0, 0, 0]),
    without("goal_behind", [1.5, 0.6, 0.4]),
    without("goal_close_by", [0.5, 0.5, 0]),
    without("too_far", [1, 2, 0.5]),
    without("too_close", [0.6, 0.1, 0]),
  ];
  const lines = new Map<string, EpisodeLine>();
  beforeAll(async () => {
    const world = makeWorld();
    const dicts = episodes.map((episode) => episode.toDict());
    world.write("episodes/manipulation.json", { format: "robot-eval-episodes/1", episodes: dicts });
    let yaml = CHALLENGE;
    for (const [from, to] of Object.entries(PATHS)) yaml = yaml.replace(from, to);
    world.write("unified_challenge.yaml", yaml);
    const { run_dir } = await new UnifiedRobotEvaluator(
      loadConfig(join(world.root, "unified_challenge.yaml")),
      { agent: "vln=shortest-path,pick_place=expert", outDir: world.out },
    ).run();
    for (const line of await linesOf(run_dir)) lines.set(line.episode_id, line);
  }, 60_000);

  it.each(["manip_001", "without_goals", "goal_behind", "goal_close_by"])(
    "the expert solves %s",
    (id) => {
      const line = lines.get(id);
      expect(line?.explanation).toMatch(/^succeeded after \d+ steps/);
      expect(line).toMatchObject({
        outcome: "success",
        metrics: { manip_success: 1, completion_rate: 1 },
      });
    },
  );

  it.each([
    [
      "too_far",
      "the goal is 1.82 m from the robot's base at [1, 2, 0.5], but stretch works at 0.35 to 1.1 m",
    ],
    [
      "too_close",
      "the goal is 0.14 m from the robot's base at [0.6, 0.1, 0], but stretch works at 0.35 to 1.1 m",
    ],
  ])(
    "an episode whose goal the robot cannot reach is invalid, and the error gives the distance: %s",
    (id, reason) => {
      expect(lines.get(id)).toMatchObject({
        outcome: "invalid",
        fault: "data",
        error: { code: "bad_episode", message: expect.stringContaining(reason) },
      });
    },
  );
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluate, tempDir, tinyEpisode, tinyWorld } from "../../../test/support/tiny-world.js";
import { PickAndPlaceTask } from "../../tasks/manipulation/pick-place.js";
import { VLNTask } from "../../tasks/vln/task.js";
import type { AgentEpisode } from "../interfaces/agent.js";
import type { Observation } from "../interfaces/observation.js";
import { BaseEpisode } from "./base.js";
import { disclose, disclosedBy } from "./disclosure.js";

interface Heard {
  readonly told: AgentEpisode;
  readonly seen: readonly Observation[];
}

/** All that an agent gets to know in one episode from a to d. */
async function listen(disclosed?: readonly string[]): Promise<Heard> {
  const seen: Observation[] = [];
  let told: AgentEpisode | undefined;
  const world = tinyWorld({
    episodes: [tinyEpisode("a", "d")],
    evaluation: disclosed ? { disclose: disclosed } : {},
  });
  await evaluate(world, () => ({
    reset: (episode) => {
      told = episode;
    },
    act: (observation) => {
      seen.push(observation);
      return seen.length === 1 ? "turn_left" : "stop";
    },
  }));
  if (!told) throw new Error("the agent was told nothing");
  return { told, seen };
}

describe("the episode sent to a navigation agent", () => {
  it("the evaluator sends a navigation agent the instruction and the start, but no goal and no reference", async () => {
    const { told, seen } = await listen();
    expect(told.episode).toMatchObject({
      episode_id: "a-d",
      task_type: "vln",
      scene_id: "tiny",
      instruction: { text: "Go from a to d" },
      start_state: { position: [0, 0, 0], node: "a" },
      goals: null,
      reference_data: null,
      task_config: {},
    });
    const everything = JSON.stringify([told, seen]);
    expect(everything).not.toContain("the answer");
    // The goal's position; the agent is not near enough to see it among its candidates.
    expect(everything).not.toContain("[3,1,-4]");
    expect(everything).not.toContain("distance_to_goal");
    expect(told.privileged).toBeUndefined();
    expect(Object.keys(told).sort()).toEqual(
      [
        "taskType",
        "sensors",
        "episodeId",
        "sceneId",
        "episodeKey",
        "episode",
        "actionSpace",
        "conventions",
        "seed",
        "repeat",
        "privileged",
        "manipulation",
      ].sort(),
    );
  });

  it.each([
    [["goals"], true, false],
    [["reference"], false, true],
    [["goals", "reference"], true, true],
    [[], false, false],
  ])(
    "the evaluator sends an agent the parts that are named by disclose: %j",
    async (disclosed, goals, reference) => {
      const { told } = await listen(disclosed);
      expect(told.episode.goals === null).toBe(!goals);
      expect(told.episode.reference_data === null).toBe(!reference);
      if (goals) expect(told.episode.goals).toMatchObject({ position: [3, 1, -4], node: "d" });
      if (reference)
        expect(told.episode.reference_data).toMatchObject({ nodes: ["a", "b", "e", "d"] });
      expect(JSON.stringify(told.episode)).not.toContain("the answer");
    },
  );

  it("the evaluator records the disclosed parts in run.json", async () => {
    const world = tinyWorld({ evaluation: { disclose: ["goals"] } });
    const { results } = await evaluate(world, "random", { outDir: tempDir(), limit: 1 });
    const info = JSON.parse(readFileSync(join(results.run_dir ?? "", "run.json"), "utf8"));
    expect(info.disclosed).toEqual({ vln: ["goals"] });
  });
});

describe("the default disclosure", () => {
  it("by default nothing is disclosed in navigation, and the goal but no reference in manipulation", () => {
    expect(disclosedBy(new VLNTask(), undefined)).toEqual([]);
    expect(disclosedBy(new PickAndPlaceTask(), undefined)).toEqual(["goals"]);
  });

  it("the benchmark list of what is disclosed replaces the default, even if it is empty", () => {
    expect(disclosedBy(new PickAndPlaceTask(), [])).toEqual([]);
    expect(disclosedBy(new VLNTask(), ["reference"])).toEqual(["reference"]);
  });
});

describe("a manipulation episode", () => {
  it("a manipulation episode discloses only robot and objects of its task_config", () => {
    const episode = new BaseEpisode({
      episodeId: "m",
      taskType: "pick_place",
      sceneId: "table",
      taskConfig: {
        robot_config: { robot_type: "stretch" },
        scene_objects: [{ name: "cup_red" }],
        solution: [1, 2, 3],
      },
      simParams: { max_steps: 9 },
    });
    expect(disclose(episode, ["goals"])).toMatchObject({
      task_config: {
        robot_config: { robot_type: "stretch" },
        scene_objects: [{ name: "cup_red" }],
      },
      sim_params: { max_steps: 9 },
    });
    expect(JSON.stringify(disclose(episode, ["goals", "reference"]))).not.toContain("solution");
  });
});

describe("a perturbed world", () => {
  it("a perturbed world is sent instead of the episode start and objects, and nothing else changes", () => {
    const episode = new BaseEpisode({
      ...{ episodeId: "1", taskType: "pick_place", sceneId: "tabletop" },
      startState: { base_pose: [0, 0, 0], joint_positions: [0, 0] },
      taskConfig: { scene_objects: [{ name: "cup" }], randomization: { level: 1 } },
    });
    const scene_objects = [{ name: "cup", position: [1, 0, 0] }];
    const sent = disclose(episode, [], { start_state: { joint_positions: [1, 1] }, scene_objects });
    expect(sent).toEqual({
      ...disclose(episode, []),
      start_state: { base_pose: [0, 0, 0], joint_positions: [1, 1] },
      task_config: { scene_objects },
    });
  });
});

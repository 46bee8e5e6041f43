import { describe, expect, it } from "vitest";
import { ExpertAgent } from "../../src/agents/expert/expert.js";
import { BaseEpisode } from "../../src/core/episode/base.js";
import { STOP } from "../../src/core/interfaces/action.js";
import type { StepState } from "../../src/core/interfaces/step.js";
import { JudgedSimulator } from "../../src/core/rules/judged-simulator.js";
import { MujocoSimulator } from "../../src/simulator/manipulation/mujoco-simulator.js";
import { ManipulationTask } from "../../src/tasks/manipulation/task.js";

/*
 * The criteria of `rearranged` with real contacts: the expert of `pick_place` moves a block from one end of a table to the
 * other, and the table is the goal receptacle.
 */

/** The expert needs about 190. */
const MAX_STEPS = 260;

const EPISODE = {
  episode_id: "1",
  task_type: "pick_place",
  scene_id: "tabletop",
  start_state: { base_pose: [0, 0, Math.PI / 2] },
  task_config: {
    table: { position: [0.75, 0, 0.7], size: [0.6, 1.2, 0.04] },
    scene_objects: [{ name: "block", size: [0.05, 0.05, 0.1], position: [0.75, -0.1] }],
  },
};

/** The states of the expert's episode. */
async function statesOf(physics: object, criteria: object = {}): Promise<readonly StepState[]> {
  const goals = {
    target_object: { name: "block" },
    target_location: { position: [0.75, 0.15, 0.75], receptacle: "table" },
    success_criteria: { type: "rearranged", ...criteria },
  };
  const episode = BaseEpisode.fromDict({
    ...EPISODE,
    goals,
    task_config: { ...EPISODE.task_config, physics },
  });
  const task = new ManipulationTask({ goals });
  const simulator = new MujocoSimulator({ task, config: { sensors: {} } });
  const world = new JudgedSimulator(simulator, task);
  const states = [(await world.reset(episode, { seed: 0 })).state];
  const expert = new ExpertAgent();
  expert.reset({
    taskType: "pick_place",
    episodeId: "1",
    sceneId: "tabletop",
    episodeKey: "1",
    episode: episode.toDict(),
    actionSpace: simulator.actionSpace,
    seed: 0,
    manipulation: simulator.manipulation,
  });
  while (states.length <= MAX_STEPS && states.at(-1)?.success !== true) {
    const action = expert.act();
    if (action === STOP) break;
    states.push((await world.step(action)).state);
  }
  simulator.close();
  return states;
}

describe("the stages of rearranged, with a robot that moves a block", () => {
  it("the stages of rearranged, with a robot that moves a block are reached in order, ending in success", async () => {
    const states = await statesOf({});
    const firsts = ["find_object", "pick", "find_receptacle", "place"].map((stage) =>
      states.findIndex(({ stages }) => stages?.[stage] === true),
    );
    expect(states.at(-1)?.success).toBe(true);
    expect(firsts).not.toContain(-1);
    expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
    // The block starts on its goal, at rest and released, which is no success.
    expect(states[20]?.conditions?.filter(({ holds }) => !holds)).toEqual([
      expect.objectContaining({ name: "sequence" }),
    ]);
    expect(states.every(({ collision_n }) => collision_n === 0)).toBe(true);
  });

  it("the stages of rearranged, with a robot that moves a block end before pick with finger friction 0.02", async () => {
    const states = await statesOf({ finger_friction: 0.02 });
    expect(states.at(-1)?.stages).toEqual({
      find_object: true,
      pick: false,
      find_receptacle: false,
      place: false,
    });
  });

  it("the stages of rearranged, with a robot that moves a block end before find_object if more of the object must be seen than the camera can", async () => {
    const states = await statesOf({}, { view_share: 1, find_distance: 0.5 });
    expect(states.at(-1)?.stages).toMatchObject({ find_object: false, place: false });
    expect(states.at(-1)?.success).toBe(false);
  });
});

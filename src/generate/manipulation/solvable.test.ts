import { describe, expect, it } from "vitest";
import { ExpertAgent } from "../../agents/expert/expert.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { JudgedSimulator } from "../../core/rules/judged-simulator.js";
import { PANDA } from "../../robots/panda.js";
import { STRETCH } from "../../robots/stretch.js";
import { MujocoSimulator } from "../../simulator/manipulation/mujoco-simulator.js";
import { OpeningTask } from "../../tasks/manipulation/opening.js";
import { PickAndPlaceTask } from "../../tasks/manipulation/pick-place.js";
import { StackingTask } from "../../tasks/manipulation/stacking.js";
import type { ManipulationTaskType } from "./draw.js";
import { generateManipulation } from "./generate.js";

const TASKS = { pick_place: PickAndPlaceTask, stacking: StackingTask, opening: OpeningTask };
const MOST_STEPS = 1200;

/** Whether the expert succeeds with changed physics parameters. */
async function solves(
  robot: typeof STRETCH,
  task: ManipulationTaskType,
  physics?: Readonly<Record<string, number>>,
): Promise<boolean> {
  const options = { task, robot: robot.robotType, seed: 1, count: 1, reference: false };
  const [drawn] = (await generateManipulation(options)).episodes;
  if (!drawn) throw new Error("no episode was drawn");
  const taskConfig = physics ? { ...drawn.taskConfig, physics } : drawn.taskConfig;
  const episode = new BaseEpisode({ ...drawn, taskConfig });
  const rules = new TASKS[task]({ robot_type: robot.robotType, goals: episode.goals });
  const simulator = new MujocoSimulator({ task: rules, config: { sensors: { qpos: {} } } });
  const world = new JudgedSimulator(simulator, rules);
  try {
    await world.reset(episode, { seed: 1 });
    const agent = new ExpertAgent();
    agent.reset({
      taskType: task,
      episodeId: episode.episodeId,
      sceneId: episode.sceneId,
      episodeKey: episode.episodeId,
      episode: {},
      actionSpace: simulator.actionSpace,
      seed: 1,
      manipulation: simulator.manipulation,
    });
    for (let i = 0; i < MOST_STEPS; i++) {
      const action = agent.act();
      if (action === "stop") return false;
      if ((await world.step(action)).state.success === true) return true;
    }
    return false;
  } finally {
    simulator.close();
  }
}

describe("drawn manipulation episodes", () => {
  it.each([
    ["pick_place", "stretch", STRETCH],
    ["stacking", "stretch", STRETCH],
    ["opening", "stretch", STRETCH],
    ["pick_place", "panda", PANDA],
  ] as const)(
    "the expert solves drawn episodes through contact and friction: %s, %s",
    async (task, _, robot) => {
      expect(await solves(robot, task)).toBe(true);
    },
  );

  it.each([
    ["slippery fingers", { finger_friction: 0.02 }],
    ["a gripper without force", { gripper_force: 0.1 }],
  ])("the expert does not solve an episode with %s", async (_, physics) => {
    expect(await solves(STRETCH, "pick_place", physics)).toBe(false);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExpertAgent } from "../../agents/expert/expert.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { PANDA } from "../../robots/panda.js";
import { STRETCH } from "../../robots/stretch.js";
import { MujocoSimulator } from "../../simulator/manipulation/mujoco-simulator.js";
import { OpeningTask } from "../../tasks/manipulation/opening.js";
import { PickAndPlaceTask } from "../../tasks/manipulation/pick-place.js";
import { StackingTask } from "../../tasks/manipulation/stacking.js";
import { Tally } from "../tally.js";
import type { ManipulationTaskType } from "./draw.js";
import { drawEpisodes } from "./draw-episodes.js";
import { robotReach } from "./robot-reach.js";

const TASKS = { pick_place: PickAndPlaceTask, stacking: StackingTask, opening: OpeningTask };
const MOST_STEPS = 1200;

const reaches = new Map<string, Awaited<ReturnType<typeof robotReach>>>();

beforeAll(async () => {
  for (const robot of [STRETCH, PANDA]) reaches.set(robot.robotType, await robotReach(robot));
});

afterAll(() => {
  for (const reach of reaches.values()) reach.dispose();
});

function episodesOf(robot: typeof STRETCH, task: ManipulationTaskType, count: number, seed = 1) {
  const reach = reaches.get(robot.robotType);
  if (!reach) throw new Error(robot.robotType);
  const tally = new Tally();
  const drawn = drawEpisodes({ task, robot, count, seed, reach, tally });
  return { drawn, tally };
}

/** Whether the expert succeeds, with what the episode says about the physics changed. */
async function solves(
  robot: typeof STRETCH,
  task: ManipulationTaskType,
  physics?: Readonly<Record<string, number>>,
): Promise<boolean> {
  const [drawn] = episodesOf(robot, task, 1).drawn;
  if (!drawn) throw new Error("nothing was drawn");
  const taskConfig = physics ? { ...drawn.taskConfig, physics } : (drawn.taskConfig ?? {});
  const episode = new BaseEpisode({ ...drawn, taskConfig });
  const simulator = new MujocoSimulator({
    task: new TASKS[task]({ robot_type: robot.robotType }),
    config: { sensors: { qpos: {} } },
  });
  try {
    await simulator.reset(episode);
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
      if (simulator.step(action).state.success === true) return true;
    }
    return false;
  } finally {
    simulator.close();
  }
}

describe("what is drawn", () => {
  it.each([
    ["pick_place", "stretch", STRETCH],
    ["stacking", "stretch", STRETCH],
    ["opening", "stretch", STRETCH],
    ["pick_place", "panda", PANDA],
  ] as const)("the expert does by contact and friction: %s, %s", async (task, _, robot) => {
    expect(await solves(robot, task)).toBe(true);
  });

  it.each([
    ["slippery fingers", { finger_friction: 0.02 }],
    ["a gripper without force", { gripper_force: 0.1 }],
  ])("it cannot do with %s", async (_, physics) => {
    expect(await solves(STRETCH, "pick_place", physics)).toBe(false);
  });

  it("is the same however many are drawn, and every refusal is counted", () => {
    const few = episodesOf(STRETCH, "pick_place", 3, 5);
    const many = episodesOf(STRETCH, "pick_place", 12, 5);
    expect(many.drawn.slice(0, 3)).toEqual(few.drawn);
    const refused = Object.values(many.tally.rejected).reduce((sum, count) => sum + count, 0);
    expect(many.tally.drawn).toBe(12 + refused);
  });

  it("gives up, and says why, for a robot that gets nowhere", () => {
    const reach = { openingM: 0.08, styles: ["level"], canReach: () => false } as const;
    const wishes = { task: "opening", robot: STRETCH, count: 1, seed: 1 } as const;
    expect(() => drawEpisodes({ ...wishes, reach, tally: new Tally() })).toThrow(
      "200 out of reach",
    );
  });
});

import { describe, expect, it, vi } from "vitest";
import { ExpertAgent } from "../../src/agents/expert/expert.js";
import { BaseEpisode } from "../../src/core/episode/base.js";
import { STOP } from "../../src/core/interfaces/action.js";
import { JudgedSimulator } from "../../src/core/rules/judged-simulator.js";
import { createRegistries } from "../../src/registry/registries.js";
import { findRobot } from "../../src/robots/catalog.js";
import type { RobotDescriptor } from "../../src/robots/descriptor.js";
import { MujocoSimulator } from "../../src/simulator/manipulation/mujoco-simulator.js";
import { Physics } from "../../src/simulator/manipulation/physics/physics.js";
import { OpeningTask } from "../../src/tasks/manipulation/opening.js";
import { PickAndPlaceTask } from "../../src/tasks/manipulation/pick-place.js";
import { StackingTask } from "../../src/tasks/manipulation/stacking.js";
import type { ManipulationTask } from "../../src/tasks/manipulation/task.js";
import { shippedEpisodes } from "./manipulation.js";

/** Long enough for a loaded machine. */
const TIMEOUT_MS = 180_000;
/** The benchmark's step limit. */
const MAX_STEPS = 500;

const TASK_CLASSES = {
  pick_place: PickAndPlaceTask,
  stacking: StackingTask,
  // A door and a drawer, which open only by gripping the handle.
  opening: OpeningTask,
  pick_place_panda: PickAndPlaceTask,
} as const;

type GraspSet = keyof typeof TASK_CLASSES;

export function robotOf(set: string): RobotDescriptor {
  const robot = findRobot(set.endsWith("panda") ? "panda" : "stretch");
  if (!robot) throw new Error("the catalogue lacks a robot");
  return robot;
}

/**
 * Counts the episodes in which the expert succeeds, with the physics changed. Asserts that the reset places the
 * robot and that nothing is placed afterwards.
 */
async function successes(
  episodes: readonly BaseEpisode[],
  task: ManipulationTask,
  physics: object = {},
): Promise<number> {
  const { tasks } = createRegistries();
  const simulator = new MujocoSimulator({ task, config: { sensors: {} } });
  const setJoint = vi.spyOn(Physics.prototype, "setJoint");
  const setFreePose = vi.spyOn(Physics.prototype, "setFreePose");
  let count = 0;
  for (const episode of episodes) {
    const raw = episode.toDict();
    const changed = BaseEpisode.fromDict({
      ...raw,
      task_config: { ...episode.taskConfig, physics },
    });
    setJoint.mockClear();
    const rules = tasks.get(task.taskType, { ...task.config, goals: episode.goals });
    const world = new JudgedSimulator(simulator, rules);
    let { state } = await world.reset(changed, { seed: 0 });
    expect(setJoint).toHaveBeenCalled();
    setJoint.mockClear();
    const expert = new ExpertAgent();
    expert.reset({
      taskType: task.taskType,
      episodeId: episode.episodeId,
      sceneId: episode.sceneId,
      episodeKey: episode.episodeId,
      episode: raw,
      actionSpace: simulator.actionSpace,
      seed: 0,
      manipulation: simulator.manipulation,
    });
    for (let step = 0; step < MAX_STEPS && state.success !== true; step++) {
      const action = expert.act();
      ({ state } = await world.step(action));
      if (action === STOP) break;
    }
    expect(state.error, episode.episodeId).toBeUndefined();
    expect(setJoint).not.toHaveBeenCalled();
    expect(setFreePose).not.toHaveBeenCalled();
    if (state.success === true) count++;
  }
  simulator.close();
  vi.restoreAllMocks();
  return count;
}

/**
 * Negative controls: the expert, which normally succeeds, must fail without finger friction or gripper force.
 *
 * @param episodes number of episodes per task
 */
export function describeGraspControls(
  episodes: number,
  sets: readonly GraspSet[] = ["pick_place", "stacking", "opening", "pick_place_panda"],
): void {
  describe.each(sets)("the expert at %s", (set) => {
    const task = new TASK_CLASSES[set]({ robot_type: robotOf(set).robotType });
    const few = async () => (await shippedEpisodes(set)).slice(0, episodes);

    it(
      "the expert succeeds with normal finger friction and force",
      async () => {
        expect(await successes(await few(), task)).toBe(episodes);
      },
      TIMEOUT_MS,
    );

    it(
      "the expert never succeeds with finger friction 0.02",
      async () => {
        expect(await successes(await few(), task, { finger_friction: 0.02 })).toBe(0);
      },
      TIMEOUT_MS,
    );

    it(
      "the expert never succeeds with gripper force 0.1",
      async () => {
        expect(await successes(await few(), task, { gripper_force: 0.1 })).toBe(0);
      },
      TIMEOUT_MS,
    );
  });
}

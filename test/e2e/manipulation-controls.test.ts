import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { ExpertAgent } from "../../src/agents/expert/expert.js";
import { BaseEpisode } from "../../src/core/episode/base.js";
import { STOP } from "../../src/core/interfaces/action.js";
import { findRobot } from "../../src/robots/catalog.js";
import type { RobotDescriptor } from "../../src/robots/descriptor.js";
import { worldMjcf } from "../../src/simulator/manipulation/compose.js";
import { worldOf } from "../../src/simulator/manipulation/from-episode.js";
import { MujocoSimulator } from "../../src/simulator/manipulation/mujoco-simulator.js";
import { Physics } from "../../src/simulator/manipulation/physics.js";
import { OpeningTask } from "../../src/tasks/manipulation/opening.js";
import { PickAndPlaceTask } from "../../src/tasks/manipulation/pick-place.js";
import { StackingTask } from "../../src/tasks/manipulation/stacking.js";
import type { ManipulationTask } from "../../src/tasks/manipulation/task.js";
import { ROOT, shippedEpisodes } from "../support/manipulation.js";

/*
 * Success must come from contact and friction. So the expert that succeeds is tried where it must fail, and
 * what could make it succeed by other means is looked for and not found.
 */

const SETS = ["pick_place", "stacking", "opening", "pick_place_panda"] as const;
const EPISODES = 2;
/** For machines that are busy. */
const TIMEOUT_MS = 180_000;
/** What the benchmark allows. */
const MOST_STEPS = 500;

function robotOf(set: string): RobotDescriptor {
  const robot = findRobot(set.endsWith("panda") ? "panda" : "stretch");
  if (!robot) throw new Error("the catalogue has lost a robot");
  return robot;
}

/**
 * How many of these episodes the expert does, in worlds whose physics is changed so. The reset places the robot,
 * and from there on nothing is placed.
 */
async function successes(
  episodes: readonly BaseEpisode[],
  task: ManipulationTask,
  physics: object = {},
): Promise<number> {
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
    let { state } = await simulator.reset(changed);
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
    for (let step = 0; step < MOST_STEPS && state.success !== true; step++) {
      const action = expert.act();
      ({ state } = simulator.step(action));
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

/** A call that sets joints or free bodies, a write to the engine's own arrays, or a force that no actuator has. */
const WRITES =
  /\.set(Joints?|FreePose)\(|\b(qpos|qvel)(\(\))?\.(set|fill)\(|\b(qpos|qvel)(\(\))?\[.*\] = |xfrc_applied|qfrc_applied|mocap_|mj_setState|mj_setKeyframe/;

/** The way into the engine, who uses it at a reset, and the scratch copy that joints are solved for on. */
const KNOWN_WRITERS = ["ik.ts", "physics-scratch.ts", "physics.ts", "place-robot.ts"].map(
  (name) => `simulator/manipulation/${name}`,
);

describe.each([
  ["pick_place", PickAndPlaceTask],
  ["stacking", StackingTask],
  // A door and a drawer: nothing but the grip on the handle opens them.
  ["opening", OpeningTask],
  ["pick_place_panda", PickAndPlaceTask],
] as const)("the expert at %s", (set, taskClass) => {
  const task = new taskClass({ robot_type: robotOf(set).robotType });
  const few = async () => (await shippedEpisodes(set)).slice(0, EPISODES);

  it(
    "succeeds with fingers as they are",
    async () => {
      expect(await successes(await few(), task)).toBe(EPISODES);
    },
    TIMEOUT_MS,
  );

  it(
    "never succeeds with fingers that slip",
    async () => {
      expect(await successes(await few(), task, { finger_friction: 0.02 })).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    "never succeeds with a gripper that does not press",
    async () => {
      expect(await successes(await few(), task, { gripper_force: 0.1 })).toBe(0);
    },
    TIMEOUT_MS,
  );
});

describe("what holds things in the hand", () => {
  it.each(SETS)("is no constraint: the worlds of %s have none", async (set) => {
    for (const split of ["train", "val"]) {
      for (const episode of await shippedEpisodes(set, split)) {
        const text = worldMjcf(worldOf(episode, robotOf(set)));
        expect(text, episode.episodeId).not.toMatch(/<(weld|connect|adhesion)\b|mocap=/);
        for (const [equality] of text.matchAll(/<equality>.*?<\/equality>/gs)) {
          const tags = [...equality.matchAll(/<(\w+)/g)].map((match) => match[1]);
          expect(new Set(tags)).toEqual(new Set(["equality", "joint"]));
        }
      }
    }
  });

  it("is no code: nobody else sets joints, places bodies or applies forces", () => {
    const source = join(ROOT, "src");
    const writers = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(name))
      .filter((name) => WRITES.test(readFileSync(join(source, name), "utf8")))
      .map((name) => name.replaceAll("\\", "/"));
    expect(writers.sort()).toEqual(KNOWN_WRITERS);
  });
});

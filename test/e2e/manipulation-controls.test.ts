import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ExpertAgent } from "../../src/agents/expert/expert.js";
import { BaseEpisode } from "../../src/core/episode/base.js";
import { STOP } from "../../src/core/interfaces/action.js";
import { loadEpisodes } from "../../src/dataset/loader.js";
import { createRegistries } from "../../src/registry/registries.js";
import { findRobot } from "../../src/robots/catalog.js";
import type { RobotDescriptor } from "../../src/robots/descriptor.js";
import { worldMjcf } from "../../src/simulator/manipulation/compose.js";
import { worldOf } from "../../src/simulator/manipulation/from-episode.js";
import { MujocoSimulator } from "../../src/simulator/manipulation/mujoco-simulator.js";
import { PickAndPlaceTask } from "../../src/tasks/manipulation/pick-place.js";
import { StackingTask } from "../../src/tasks/manipulation/stacking.js";
import type { ManipulationTask } from "../../src/tasks/manipulation/task.js";

/*
 * Success must come from contact and friction. So the expert that succeeds is tried where it must fail, and
 * what could make it succeed by other means is looked for and not found.
 */

const root = fileURLToPath(new URL("../../", import.meta.url));
const SETS = ["pick_place", "stacking", "opening", "pick_place_panda"] as const;
const EPISODES = 3;
/** For machines that are busy. */
const TIMEOUT_MS = 180_000;
/** What the benchmark allows. */
const MOST_STEPS = 500;

async function shipped(set: string, split: string): Promise<BaseEpisode[]> {
  const { formats } = createRegistries();
  const path = join(root, "data/manipulation", set, `${split}.json.gz`);
  const episodes: BaseEpisode[] = [];
  for await (const episode of loadEpisodes({ path, formats })) episodes.push(episode);
  return episodes;
}

function robotOf(set: string): RobotDescriptor {
  const robot = findRobot(set.endsWith("panda") ? "panda" : "stretch");
  if (!robot) throw new Error("the catalogue has lost a robot");
  return robot;
}

/** How many of these episodes the expert does, in worlds whose physics is changed so. */
async function successes(
  episodes: readonly BaseEpisode[],
  task: ManipulationTask,
  physics: object = {},
): Promise<number> {
  const simulator = new MujocoSimulator({ task, config: { sensors: {} } });
  let count = 0;
  for (const episode of episodes) {
    const raw = episode.toDict();
    const changed = BaseEpisode.fromDict({
      ...raw,
      task_config: { ...episode.taskConfig, physics },
    });
    let { state } = await simulator.reset(changed);
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
    if (state.success === true) count++;
  }
  simulator.close();
  return count;
}

/** A call that sets joints or free bodies, a write to the engine's own arrays, or a force that no actuator has. */
const WRITES =
  /\.set(Joints?|FreePose)\(|\b(qpos|qvel)(\(\))?\.(set|fill)\(|\b(qpos|qvel)(\(\))?\[.*\] = |xfrc_applied|qfrc_applied|mocap_|mj_setState|mj_setKeyframe/;

/** The way into the engine, who uses it at a reset, and the scratch copy that joints are solved for on. */
const KNOWN_WRITERS: readonly string[] = [
  "simulator/manipulation/ik.ts: this.#scratch.setJoints(this.#joints.names, this.#joints.positions(values));",
  "simulator/manipulation/mujoco-simulator.ts: for (const joint of dof.joints) physics.setJoint(joint, value / dof.joints.length);",
  'simulator/manipulation/physics-scratch.ts: qpos[addresses[this.#names.id("joint", joint)] as number] = values[i] as number;',
  "simulator/manipulation/physics-scratch.ts: this.data.qpos.set(from.qpos);",
  "simulator/manipulation/physics.ts: qpos()[positionAddresses()[this.#scalarJoint(name)] as number] = value;",
  "simulator/manipulation/physics.ts: views.qpos().set([...position, ...rotation_wxyz], views.positionAddresses()[joint]);",
];

describe.each([
  ["pick_place", PickAndPlaceTask],
  ["stacking", StackingTask],
  ["pick_place_panda", PickAndPlaceTask],
] as const)("the expert at %s", (set, taskClass) => {
  const task = new taskClass({ robot_type: robotOf(set).robotType });
  const few = async () => (await shipped(set, "val")).slice(0, EPISODES);

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
      for (const episode of await shipped(set, split)) {
        const text = worldMjcf(worldOf(episode, robotOf(set)));
        expect(text, episode.episodeId).not.toMatch(/<(weld|connect|adhesion)\b|mocap=/);
        for (const [equality] of text.matchAll(/<equality>.*?<\/equality>/gs)) {
          const tags = [...equality.matchAll(/<(\w+)/g)].map((match) => match[1]);
          expect(new Set(tags)).toEqual(new Set(["equality", "joint"]));
        }
      }
    }
  });

  it("is no code: only a reset places the robot, and nothing places things", () => {
    const source = join(root, "src");
    const writers = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(name))
      .flatMap((name) =>
        readFileSync(join(source, name), "utf8")
          .split("\n")
          .filter((line) => WRITES.test(line))
          .map((line) => `${name.replaceAll("\\", "/")}: ${line.trim()}`),
      );
    expect(writers.sort()).toEqual(KNOWN_WRITERS);
  });
});

import type { SimulatorFactory } from "../../core/interfaces/simulator.js";
import { checkEpisodeNeeds } from "./facts/check.js";
import { cameraNamed, mujocoConfig, READING_NAMES, readingNames } from "./mujoco-config.js";
import { hasRobot } from "./robot-task.js";
import { WORLD_AXES } from "./world/axes/names.js";

/** Creates MuJoCo simulators. The engine (10 MB of WASM) is loaded with the first one. */
export const mujocoSimulatorFactory: SimulatorFactory = {
  description: "manipulation on MuJoCo: real contacts and friction, robots, tables, drawers, doors",
  families: ["manipulation"],
  recordsFacts: true,
  states: [
    ...(["qpos", "ee_pose", "objects", "success", "stages", "time_s"] as const),
    ...(["base_pose", "collision_n"] as const),
  ],
  checkFacts(needs, episode, task) {
    checkEpisodeNeeds(needs, episode, hasRobot(task) ? task.robot : undefined);
  },
  sensors: [
    "rgb_head",
    "rgb_wrist",
    "depth_head",
    "depth_wrist",
    "semantic_head",
    "semantic_wrist",
    ...READING_NAMES,
  ],
  hasSensor: (name, _settings, task) =>
    (hasRobot(task) && task.robot ? readingNames(task.robot) : READING_NAMES).some(
      (known) => known === name,
    ) || cameraNamed(name, (hasRobot(task) && task.robot?.model?.cameras) || {}) !== undefined,
  axes: WORLD_AXES,
  configSchema: mujocoConfig,
  async checkWorlds(options, episodes) {
    const { checkMujocoWorlds } = await import("./world/check-worlds.js");
    return checkMujocoWorlds(options, episodes);
  },
  async create(options) {
    const { MujocoSimulator } = await import("./mujoco-simulator.js");
    return new MujocoSimulator(options);
  },
};

import type { SimulatorFactory } from "../../core/interfaces/simulator.js";
import { checkEpisodeNeeds } from "./facts/check.js";
import { mujocoConfig } from "./mujoco-config.js";

/** Creates MuJoCo simulators. The engine (10 MB of WASM) is loaded with the first one. */
export const mujocoSimulatorFactory: SimulatorFactory = {
  description: "manipulation on MuJoCo: real contacts and friction, robots, tables, drawers, doors",
  families: ["manipulation"],
  recordsFacts: true,
  checkFacts: checkEpisodeNeeds,
  sensors: [
    "rgb_head",
    "rgb_wrist",
    "depth_head",
    "depth_wrist",
    "semantic_head",
    "semantic_wrist",
    "instruction",
    "qpos",
    "qvel",
    "ee_pose",
    "gripper_state",
    "object_poses",
  ],
  configSchema: mujocoConfig,
  async create(options) {
    const { MujocoSimulator } = await import("./mujoco-simulator.js");
    return new MujocoSimulator(options);
  },
};

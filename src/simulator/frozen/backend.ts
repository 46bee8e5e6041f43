import type { SimulatorFactory } from "../../core/interfaces/simulator.js";
import { frozenConfig } from "./config.js";

/** Creates simulators of frozen worlds. The engine (10 MB of WASM) is loaded with the first one. */
export const frozenSimulatorFactory: SimulatorFactory = {
  description:
    "worlds of a Python benchmark that were written to files, such as robosuite, on the embedded MuJoCo",
  families: ["external"],
  // Only the world's description knows them.
  sensors: [],
  // Those of robosuite, and of everything that is built on it.
  filmCameras: ["agentview_image", "robot0_eye_in_hand_image"],
  recordsFacts: true,
  configSchema: frozenConfig,
  async create(options) {
    const { FrozenSimulator } = await import("./frozen-simulator.js");
    return new FrozenSimulator(options);
  },
};

import { ConfigError } from "../../core/errors.js";
import type { SimulatorFactory } from "../../core/interfaces/simulator.js";
import { OLDER_ENGINE } from "../manipulation/physics/engine/names.js";
import { checkPeer } from "../manipulation/physics/engine/older.js";
import { frozenConfig } from "./config.js";

/** Creates simulators of frozen worlds. The engine (10 MB of WASM) is loaded with the first one. */
export const frozenSimulatorFactory: SimulatorFactory = {
  description:
    "worlds of a Python benchmark that were written to files, such as robosuite, on the embedded MuJoCo",
  families: ["external"],
  // Unknown here: the world's description lists them.
  sensors: [],
  // Cameras of robosuite and of what is built on it.
  filmCameras: ["agentview_image", "robot0_eye_in_hand_image"],
  recordsFacts: true,
  configSchema: frozenConfig,
  async checkWorlds({ config }) {
    if (frozenConfig.parse(config).engine !== OLDER_ENGINE.name) return [];
    try {
      checkPeer();
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const { code, message, hint } = error;
      return [{ level: "error", code, message, where: "simulator.engine", hint }];
    }
  },
  async create(options) {
    const { FrozenSimulator } = await import("./frozen-simulator.js");
    return new FrozenSimulator(options);
  },
};

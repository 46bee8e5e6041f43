import type { SimulatorFactory } from "../../core/interfaces/simulator.js";
import { remoteConfig } from "./config.js";

/** Simulators in other processes by their backend's name. WebSockets are loaded when the first one is made. */
export const remoteSimulatorFactory: SimulatorFactory = {
  description: "a simulator in another process, such as robosuite, LIBERO or any Gymnasium world",
  families: ["external", "manipulation", "navigation"],
  // Which there are, only the process can say.
  sensors: [],
  configSchema: remoteConfig,
  async create(options) {
    const { RemoteSimulator } = await import("./remote-simulator.js");
    return RemoteSimulator.open(options);
  },
};

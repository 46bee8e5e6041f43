import type { SimulatorFactory } from "../../core/interfaces/simulator.js";
import { remoteConfig } from "./config.js";

/** Registers simulators in other processes by their backend's name. WebSockets are loaded on first use. */
export const remoteSimulatorFactory: SimulatorFactory = {
  description: "a simulator in another process, such as robosuite, LIBERO or any Gymnasium world",
  families: ["external", "manipulation", "navigation"],
  // Only the process knows its sensors.
  sensors: [],
  isRemote: true,
  configSchema: remoteConfig,
  async create(options) {
    const { RemoteSimulator } = await import("./remote-simulator.js");
    return RemoteSimulator.open(options);
  },
};

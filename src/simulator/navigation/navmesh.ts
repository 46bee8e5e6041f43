import type { SimulatorFactory } from "../../core/interfaces/simulator.js";
import { navmeshConfig } from "./navmesh-config.js";
import { SENSOR_NAMES } from "./sensor-names.js";

/** The navmesh simulator by its name. What it is made of is loaded when the first one is made. */
export const navmeshSimulatorFactory: SimulatorFactory = {
  description:
    "continuous navigation on a navmesh, as Habitat's, with cameras; apartments included",
  families: ["navigation"],
  sensors: SENSOR_NAMES,
  configSchema: navmeshConfig,
  async create(options) {
    const { NavmeshSimulator } = await import("./navmesh-simulator.js");
    return new NavmeshSimulator(options);
  },
};

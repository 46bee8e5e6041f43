import type { SimulatorFactory } from "../../core/interfaces/simulator.js";
import { checkScenes } from "../check-scenes.js";
import { findScene } from "./find-scene.js";
import { CAMERA_KINDS, NAVMESH_AXES, navmeshConfig, SENSOR_NAMES } from "./navmesh-config.js";

/** Registers the navmesh simulator. Its modules are loaded when the first instance is created. */
export const navmeshSimulatorFactory: SimulatorFactory = {
  description:
    "continuous navigation on a navmesh, as in Habitat, with cameras and generated apartments",
  families: ["navigation"],
  sensors: SENSOR_NAMES,
  states: ["position", "distance_to_goal"],
  hasSensor: (name, { type }) =>
    SENSOR_NAMES.includes(name) || CAMERA_KINDS.some((kind) => kind === type),
  axes: NAVMESH_AXES,
  configSchema: navmeshConfig,
  async checkWorlds({ scenes }, episodes) {
    return (await checkScenes(episodes, (sceneId) => findScene(sceneId, scenes))).problems;
  },
  async create(options) {
    const { NavmeshSimulator } = await import("./navmesh-simulator.js");
    return new NavmeshSimulator(options);
  },
};

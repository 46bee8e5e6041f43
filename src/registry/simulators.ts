import type { SimulatorFactory } from "../core/interfaces/simulator.js";
import type { Registry } from "../core/registry.js";
import { frozenSimulatorFactory } from "../simulator/frozen/backend.js";
import { mujocoSimulatorFactory } from "../simulator/manipulation/mujoco-backend.js";
import { graphSimulatorFactory } from "../simulator/navigation/graph.js";
import { navmeshSimulatorFactory } from "../simulator/navigation/navmesh.js";
import { remoteSimulatorFactory } from "../simulator/remote/backend.js";

/** In the order in which `backend: abstract` tries them. */
export function registerSimulators(simulators: Registry<SimulatorFactory>): void {
  simulators.register("graph", graphSimulatorFactory);
  simulators.register("navmesh", navmeshSimulatorFactory);
  simulators.register("mujoco", mujocoSimulatorFactory);
  simulators.register("frozen", frozenSimulatorFactory);
  simulators.register("remote", remoteSimulatorFactory);
}

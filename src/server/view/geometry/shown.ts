import type { BaseSimulator } from "../../../core/interfaces/simulator.js";
import type { TaskPlan } from "../../../evaluator/plan/prepare.js";
import {
  isManipulationSimulator,
  type ShownWorld,
} from "../../../simulator/manipulation/manipulation-simulator.js";
import { mujocoSimulatorFactory } from "../../../simulator/manipulation/mujoco-backend.js";

/** True if the task's worlds have bodies that can be shown. */
export function isShown({ simulator }: TaskPlan): boolean {
  return simulator === mujocoSimulatorFactory;
}

/** Adds a camera to the configuration: without one, simulators leave out visual geometry. */
export function drawnConfig({ simulatorConfig }: TaskPlan): Readonly<Record<string, unknown>> {
  const tiny = { width: 2, height: 2 };
  return { ...simulatorConfig, sensors: { rgb_head: tiny, rgb_wrist: tiny } };
}

export function shownWorld(simulator: BaseSimulator): ShownWorld {
  const shown = isManipulationSimulator(simulator) ? simulator.shown : undefined;
  if (shown) return shown;
  throw new Error("the simulator shows no bodies");
}
